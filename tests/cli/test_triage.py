"""`learn triage --plain`: the queue as a conversation in plain lines."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from learnloop.learn.lessons import reasons
from tests.cli.store import PIP, UV, WORDLESS, Learn, lesson, seed
from tests.cli.terminal import on_terminal


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    seed(root)
    return Learn(capsys)


class Talk:
    """Answers, one a line, as a pipe brings them."""

    def __init__(self, learn: Learn, monkeypatch: pytest.MonkeyPatch) -> None:
        self._learn, self._monkeypatch = learn, monkeypatch

    def __call__(self, *answers: str, code: int = 0, options: tuple[str, ...] = ()) -> str:
        """What was printed."""
        self._monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
        assert self._learn("triage", "--plain", *options) == code, self._learn.err
        return self._learn.out


@pytest.fixture
def talk(learn: Learn, monkeypatch: pytest.MonkeyPatch) -> Talk:
    return Talk(learn, monkeypatch)


def _lesson(learn: Learn, lesson_id: str) -> dict[str, object]:
    (found,) = (row for row in learn.listing("lessons") if row["id"] == lesson_id)
    return found


def test_one_draft_after_another_strongest_first(learn: Learn, talk: Talk) -> None:
    told = talk("p", "rv", "p Sentences are short.")
    heads = [line for line in told.splitlines() if line.startswith("Draft ")]
    assert [head.split(", ")[0] for head in heads] == ["Draft 1 of 3", "Draft 2 of 3", "Draft 3 of 3"]
    assert _lesson(learn, UV)["status"] == "active"
    assert _lesson(learn, PIP)["rejection_reason"] == "too vague"
    assert _lesson(learn, WORDLESS)["statement"] == "Sentences are short."
    assert told.endswith("3 drafts decided, no draft is left.\n")


@pytest.mark.parametrize(("name", "key"), reasons.LETTERS.items())
def test_every_reason_has_its_key_and_its_name(learn: Learn, talk: Talk, name: str, key: str) -> None:
    for answers in ((f"r{key}", ""), ("r", key, ""), (f"r {name}", "")):
        talk(*answers)
        assert _lesson(learn, UV)["rejection_reason"] == name
        assert learn("undo") == 0
    assert _lesson(learn, UV)["status"] == "draft"


@pytest.mark.parametrize(
    ("answer", "binds"),
    [("p", (True, False)), ("1", (True, False)), ("2", (False, True)), ("3", (False, False))],
)
def test_a_draft_with_a_check_shows_it_and_binds_as_the_answer_says(
    learn: Learn, talk: Talk, answer: str, binds: tuple[bool, bool]
) -> None:
    learn("edit", UV, "--statement", "Never run pip install.")
    told = talk(answer)
    assert "\nNever run `pip install`" in told
    assert "[1] stop it (recommended) · [2] remind at the end · [3] only tell: p takes" in told
    found = _lesson(learn, UV)
    assert (found["status"], (found["stops"], found["reminds"])) == ("active", binds)


@pytest.mark.parametrize(("answer", "reminds"), [("p", True), ("1", True), ("2", False)])
def test_a_draft_that_makes_something_due_says_what_and_may_remind(
    learn: Learn, talk: Talk, tmp_path: Path, answer: str, reminds: bool
) -> None:
    sides = (
        '"act": [{"on": "write", "files": ["src/**"]}], "then": [{"on": "write", "files": ["CHANGELOG.md"]}]'
    )
    tmp_path.joinpath("check.json").write_text(f'{{"form": "due", {sides}}}', "utf-8")
    learn("check", UV, "--set", str(tmp_path / "check.json"))
    learn("check", UV, "--tell")
    assert "After you write src/**: write CHANGELOG.md, before you are done." in talk(answer)
    assert (_lesson(learn, UV)["status"], _lesson(learn, UV)["reminds"]) == ("active", reminds)


def test_a_draft_without_words_is_asked_for_them(learn: Learn, talk: Talk) -> None:
    told = talk("s", "s", "p", "", "p", "Give reasons.")
    assert "Needs words: " in told
    assert "What should the agent do? One sentence, as you would say it. (nothing: leave it) > " in told
    assert _lesson(learn, WORDLESS)["statement"] == "Give reasons."
    assert _lesson(learn, WORDLESS)["status"] == "active"


def test_a_new_statement_leaves_it_a_draft_that_is_shown_again(learn: Learn, talk: Talk) -> None:
    told = talk("e", "Install packages with uv.", "q")
    assert told.count("Draft 1 of 3") == 2
    assert _lesson(learn, UV)["statement"] == "Install packages with uv."
    assert _lesson(learn, UV)["status"] == "draft"


def test_undo_brings_the_draft_back_at_once(learn: Learn, talk: Talk) -> None:
    told = talk("p", "z", "q")
    assert "Undone: " in told
    assert told.count("Use uv, not pip.\nWhere") == 2
    assert _lesson(learn, UV)["status"] == "draft"
    told = talk("s", "z", "rw")
    assert "Asked again." in told
    assert _lesson(learn, UV)["rejection_reason"] == "wrong"


def test_details_and_help_ask_again(talk: Talk) -> None:
    told = talk("d", "?", "q")
    assert "Recalled when" in told
    assert "take the last verdict back" in told
    assert told.count("[p] keep [r] drop [s]kip [e]dit [d]etails [z] undo [q]uit ? > ") == 3
    assert told.count("Draft 1 of 3") == 1


def test_the_end_of_the_input_ends_it_cleanly(learn: Learn, talk: Talk) -> None:
    assert talk().endswith("Nothing decided, 3 drafts left.\n")
    assert talk("r").endswith("Nothing decided, 3 drafts left.\n")
    assert learn.err == ""


def test_a_pipe_learns_of_answers_that_were_not_done(learn: Learn, talk: Talk) -> None:
    assert "Not done: 'x' is no answer" in talk("x", "q", code=1)
    assert "Not done: 'q' is no reason" in talk("r", "q", "q", code=1)
    assert "there is nothing to take back" in talk("z", code=1)
    assert "500 or less" in talk("p " + "long " * 300, code=1)
    assert _lesson(learn, UV)["status"] == "draft"


def test_an_agent_gives_no_verdicts_by_it(learn: Learn, talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "an agent cannot give verdicts" in talk("p", code=1)
    assert _lesson(learn, UV)["status"] == "draft"


def test_it_is_plain_whatever_comes(root: str) -> None:
    seed(root)
    done = subprocess.run(
        [sys.executable, "-m", "learnloop.cli.main", "triage"],
        input=b"s\ns\nd\n\xff\xfe\x00p\n" + b"y" * 100_000 + b"\nq\n",
        env=os.environ | {"FORCE_COLOR": "1", "PYTHONIOENCODING": "ascii"},
        capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == b""
    assert all(byte in b"\n" or 32 <= byte < 127 for byte in done.stdout)
    assert b"[bold]why[/x]" in done.stdout


def test_a_terminal_gets_plain_lines_and_a_hint_at_the_console(root: str) -> None:
    seed(root)
    told = on_terminal(["triage"], b"d\np\nq\n")
    assert b"learn-tui" in told
    assert b"1 draft decided" in told
    assert b"\x1b" not in told
    assert b"learn-tui" not in on_terminal(["triage", "--plain"], b"q\n")


def test_a_filter_asks_about_those_drafts_alone(learn: Learn, talk: Talk, root: str) -> None:
    foreign = [
        lesson(f"fore{letter}{'2' * 21}", statement=f"Run {letter * 6}.", trust="external")
        for letter in "abc"
    ]
    seed(root, tuple(foreign))
    ids = [one.id for one in foreign]
    assert "learn triage --filter is:external" in learn.refused("promote", *ids)
    talk("p", "p", "p", options=("--filter", "is:external"))
    assert {row["status"] for row in learn.listing("lessons") if row["id"] in ids} == {"active"}
    assert _lesson(learn, UV)["status"] == "draft"
    assert "prio: knows" in talk(code=1, options=("--filter", "prio:urgent")) + learn.err


def test_what_is_kept_goes_into_a_file_on_a_second_yes(
    learn: Learn, talk: Talk, root: str, home: Path
) -> None:
    file = home / ".claude" / "CLAUDE.md"
    file.parent.mkdir(parents=True)
    file.write_text("# Mine\n")
    kept, same = (lesson(f"keep{at}{'2' * 21}", statement="Answer in French.", scope=scope, confidence=0.99)
                  for at, scope in ((2, "global"), (3, "project")))  # fmt: skip
    seed(root, (kept.with_(project="", seen_count=9), same))
    told = talk("a", "p", "a", "", "a", "y", "q", code=1, options=("--all",))
    assert "Not done: no file takes what was kept last" in told
    assert "It settles 1 draft that says the same." in told
    assert "Also in CLAUDE.md? a shows what that changes there." in told
    assert told.count("+- Answer in French.") == 2
    assert "Answer in French." in file.read_text()
    assert learn("undo") == learn("undo") == 0
    assert file.read_text() == "# Mine\n"
    assert {_lesson(learn, each.id)["status"] for each in (kept, same)} == {"draft"}
