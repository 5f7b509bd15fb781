"""What a backfill says of the person: how often they corrected the agent, and what came more than once."""

from pathlib import Path

from learnloop.service.intake import backfill
from learnloop.service.lessons import documents
from learnloop.service.profile import agent_figures, project_findings
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.ingest.client_transcript import Transcript


def session(number: int, *said: str, project: str = "shop", **fields: str) -> Transcript:
    """One session a month, in which the person says some things."""
    lines = Transcript(f"s{number}", f"/code/{project}").prompt("write a test", **fields).says("Done.")
    for words in said:
        lines.prompt(words, **fields).says("Done.")
    for line in lines.lines:
        line["timestamp"] = line["timestamp"].replace("2026-01-31", f"2026-0{number}-15")
    return lines


def read(ws: Workspace, folder: Path, *sessions: Transcript) -> backfill.BackfillReport:
    for each in sessions:
        each.write(folder)
    return backfill.backfill(ws, [str(folder)])


PNPM = "No, use pnpm instead of npm in this repo"


def test_what_came_more_than_once_is_named_in_the_persons_words(ws: Workspace, tmp_path: Path) -> None:
    said = read(ws, tmp_path, session(1, PNPM, "No, that is wrong, use pytest"), session(4, PNPM)).said
    (thing,) = said.repeated
    assert str(said) == "You corrected your agents 3 times in 3 months; 1 thing more than once."
    assert (thing.times, thing.quote, thing.projects) == (2, PNPM, 1)
    assert said.share == "Kept after the first time, it would have covered 1 of the 3 corrections (33 %)."


def test_what_is_said_in_several_projects_is_one_thing(ws: Workspace, tmp_path: Path) -> None:
    said = read(ws, tmp_path, session(1, PNPM), session(2, PNPM, project="bakery")).said
    (thing,) = said.repeated
    assert (thing.times, thing.projects, len(thing.others)) == (2, 2, 1)


def test_the_headline_quotes_what_its_approval_keeps(ws: Workspace, tmp_path: Path) -> None:
    migration, deploy = "Always ask me before you run a migration", "Always ask me before you deploy"
    plan = "Always show me your plan before you write any code"
    said = read(
        ws, tmp_path, session(1, plan), session(2, migration, project="bakery"), session(3, migration, deploy)
    ).said
    assert [(thing.quote, documents.find(ws, thing.id).statement) for thing in said.repeated] == [
        (migration, f"{migration}.")
    ]
    assert [documents.find(ws, other).statement for other in said.repeated[0].others] == [f"{migration}."]


def test_the_headline_has_no_words_of_what_its_approval_archives(ws: Workspace, tmp_path: Path) -> None:
    bakery = session(4, "No, never npm, we always use pnpm", project="bakery")
    (thing,) = read(ws, tmp_path, session(1, PNPM), session(2, PNPM), bakery).said.repeated
    assert (thing.times, thing.quote, len(thing.others)) == (3, PNPM, 1)


def test_a_secret_is_not_quoted(ws: Workspace, tmp_path: Path) -> None:
    words = "No, use the token ghp_" + "a1B2" * 9 + " with pnpm instead of npm"
    (thing,) = read(ws, tmp_path, session(1, words), session(2, words)).said.repeated
    assert "ghp_a1B2" not in thing.quote


def test_sessions_at_which_nobody_sat_are_not_counted(ws: Workspace, tmp_path: Path) -> None:
    printed = [session(number, PNPM, entrypoint="sdk-cli") for number in (1, 2)]
    assert str(read(ws, tmp_path, *printed).said) == "No correction of yours is in these sessions."


def test_rejected_words_are_not_offered_again_and_approved_ones_say_so(ws: Workspace, tmp_path: Path) -> None:
    habit = "I said no default exports"
    (first, second) = read(ws, tmp_path, *(session(n, PNPM, habit) for n in (1, 2))).said.repeated
    verdicts.promote(ws, first.id)
    verdicts.reject(ws, second.id)
    assert [(thing.id, thing.approved) for thing in read(ws, tmp_path).said.repeated] == [(first.id, True)]


def test_what_came_again_is_counted_alike_everywhere(ws: Workspace, tmp_path: Path) -> None:
    shop = (
        session(
            1,
            "no, use pnpm instead of npm",
            "you didn't run them. always run the tests before you say it's done",
        ),
        session(2, "PNPM! not npm. I told you already", "never run terraform apply yourself"),
        session(3, "No. Run the tests before you say that it is done"),
    )
    bakery = (
        session(4, "always run the tests before you call it done", "still npm... use pnpm", project="bakery"),
        session(5, "I told you, use pnpm, not npm", "Never run terraform apply yourself", project="bakery"),
    )
    said = read(ws, tmp_path, *shop, *bakery).said
    [agent] = agent_figures.performance(ws)
    assert [thing.times for thing in said.repeated] == [4, 3, 2]
    assert [theme.count for theme in agent.failure_patterns] == [4, 3, 2]
    assert [group.count for group in project_findings.recurring(ws)] == [4, 3]
