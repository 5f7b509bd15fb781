"""`learn backfill` ends with what the person said again and again, each one key from being kept."""

from pathlib import Path

import pytest

from tests.cli.store import Learn
from tests.cli.terminal import on_terminal
from tests.service.intake.test_repeated_corrections import PNPM, session

HABIT = "Always run the tests before you say it works"


@pytest.fixture
def transcripts(tmp_path: Path) -> str:
    """Three sessions of two projects; two things come more than once."""
    folder = tmp_path / "old"
    for number, project in ((1, "shop"), (2, "shop"), (3, "bakery")):
        session(number, HABIT, *([PNPM] if project == "shop" else []), project=project).write(folder)
    return str(folder)


def statuses(learn: Learn) -> list[tuple[str, str]]:
    return sorted((row["status"], row["scope"]) for row in learn.listing("lessons"))


def test_a_pipe_gets_the_command_that_keeps_each(learn: Learn, transcripts: str) -> None:
    assert learn("backfill", transcripts) == 0
    assert "\nYou corrected your agents 5 times in 8 weeks; 2 things more than once.\n" in learn.out
    commands = [line.strip() for line in learn.out.splitlines() if "learn promote" in line]
    assert f"“{HABIT}”  in 2 projects\n      {commands[0]}" in learn.out
    assert f"“{PNPM}”  shop\n      {commands[1]}" in learn.out
    for command in " && ".join(commands).split(" && "):
        assert learn(*command.split()[1:]) == 0, learn.err
    assert sum(status == "active" for status, _ in statuses(learn)) == 2


@pytest.mark.slow
def test_at_a_terminal_one_key_keeps_each_for_every_project(learn: Learn, transcripts: str) -> None:
    shown = on_terminal(["backfill", transcripts], b"p\np\n").decode()
    assert "You said it 3× in 2 projects: p keeps it for every project." in shown
    assert "2 drafts decided, no draft is left." in shown
    assert "Agents hear nothing yet: learn install registers the hooks." in shown
    assert statuses(learn) == [("active", "global"), ("active", "project"), ("archived", "project")]


@pytest.mark.slow
def test_what_that_key_archives_is_shown_before_it_is_pressed(learn: Learn, transcripts: str) -> None:
    question = on_terminal(["backfill", transcripts], b"q\n").decode().partition("[p] keep")[0]
    other = next(row for row in learn.listing("lessons", "--drafts") if row["statement"].startswith(HABIT))
    shown = [line for line in question.splitlines() if line.startswith("p archives as superseded: ")]
    assert len(shown) == 1
    assert f"“{HABIT}.”" in shown[0]
    assert other["statement"] == f"{HABIT}."
    assert statuses(learn) == [("draft", "project")] * 3


def test_it_ends_with_what_really_waits_and_with_install_where_no_hooks_are_in(
    learn: Learn, transcripts: str
) -> None:
    once = "Never commit to main"
    session(4, once, "Answers are in German, please", project="garden").write(Path(transcripts))
    shown = on_terminal(["backfill", transcripts], b"p\np\n").decode()
    waiting = len(learn.listing("lessons", "--drafts"))
    assert waiting
    assert f"2 drafts decided, {waiting} draft{'s' * (waiting > 1)} left: learn triage." in shown
    assert "Agents hear nothing yet: learn install registers the hooks." in shown
    assert "100 %" in shown
    assert "4/4" in shown
    assert "7 corrections, " in shown
    assert learn("install") == 0
    assert "Agents hear nothing" not in on_terminal(["backfill", transcripts], b"q\n").decode()
