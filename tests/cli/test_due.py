"""What a lesson makes due on the command line: shown, edited, approved, refused."""

import pytest

from tests.cli.store import ACTIVE, PIP, Learn, seed

CHANGELOG = "Update CHANGELOG.md with every change in src/"


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    seed(root)
    return Learn(capsys)


def lesson(learn: Learn, lesson_id: str = PIP) -> dict[str, object]:
    (row,) = (row for row in learn.listing("lessons") if row["id"] == lesson_id)
    return row


def test_it_follows_from_the_words_and_is_shown(learn: Learn) -> None:
    assert learn("edit", PIP, "--statement", CHANGELOG) == 0
    assert lesson(learn)["due"] == {"after": ["src/**"], "files": ["**/CHANGELOG.md"], "commands": []}
    assert learn("show", PIP) == 0
    shown = " ".join(learn.out.split())
    assert "due CHANGELOG.md after a change of src/**" in shown
    assert "an agent that ends before is not reminded" in shown


def test_what_a_person_set_survives_an_edit_of_the_statement(learn: Learn) -> None:
    learn("edit", PIP, "--statement", CHANGELOG)
    learn("edit", PIP, "--due-command", "make log", "--set", "due_file=", "--set", "reminds=yes")
    mine = {"after": ["src/**"], "files": [], "commands": ["make log"]}
    learn("edit", PIP, "--statement", "Update CHANGELOG.md with every change in lib/")
    assert (lesson(learn)["due"], lesson(learn)["reminds"]) == (mine, True)
    assert learn("undo") == 0
    assert lesson(learn)["statement"] == f"{CHANGELOG}"
    learn("undo")
    assert (lesson(learn)["due"], lesson(learn)["reminds"]) != (mine, True)


def test_words_that_were_not_touched_by_a_person_are_read_anew(learn: Learn) -> None:
    learn("edit", PIP, "--statement", CHANGELOG)
    learn("edit", PIP, "--statement", "Run the tests after every change")
    assert lesson(learn)["due"] == {"after": ["<source>"], "files": [], "commands": ["<tests>"]}
    learn("edit", PIP, "--statement", "Use uv, not pip.")
    assert lesson(learn)["due"] == {"after": [], "files": [], "commands": []}


@pytest.mark.parametrize(("options", "reminds"), [((), False), (("--remind",), True)])
def test_an_approval_may_switch_the_reminder_on(
    learn: Learn, options: tuple[str, ...], reminds: bool
) -> None:
    learn("edit", PIP, "--statement", CHANGELOG)
    assert learn("promote", PIP, *options) == 0
    assert lesson(learn)["reminds"] is reminds
    said = "an agent that ends before CHANGELOG.md is reminded once"
    assert (said in learn.err + learn.out) is False or reminds
    assert learn("edit", PIP, "--reminds", "no" if reminds else "yes") == 0
    assert lesson(learn)["reminds"] is not reminds


def test_a_promotion_keeps_what_an_edit_switched_on(learn: Learn) -> None:
    learn("edit", PIP, "--statement", CHANGELOG, "--reminds", "yes")
    learn("promote", PIP)
    assert lesson(learn)["reminds"] is True


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (("--reminds", "yes"), "has nothing due"),
        (("--due-after", "src/**"), "needs what settles it"),
        (("--due-file", "CHANGELOG.md"), "needs the files after whose change it is due"),
        (("--due-after", "src/**", "--due-file", "src/**"), "due after a change of itself"),
        (
            ("--due-after", "src/**", "--due-command", "make docs", "--unwanted-command", "make"),
            "would be due and unwanted at once",
        ),
        (("--wanted-command", "npm ci", "--unwanted-command", "npm"), "wanted and unwanted at once"),
    ],
)
def test_sides_that_contradict_are_refused_with_the_reason(
    learn: Learn, options: tuple[str, ...], wrong: str
) -> None:
    before = lesson(learn, ACTIVE)
    assert learn("edit", ACTIVE, *options) == 1
    assert wrong in learn.err
    assert lesson(learn, ACTIVE) == before
