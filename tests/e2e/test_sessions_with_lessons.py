"""Scripted sessions of the real client, each with a lesson: what is stopped, and what becomes of it."""

from typing import Any, NamedTuple

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.lab import Lab

pytestmark = pytest.mark.e2e

Call = dict[str, Any]


def _run(command: str) -> Call:
    return {"name": "Bash", "input": {"command": command}}


def _write(file: str, content: str) -> Call:
    return {"name": "Write", "input": {"file_path": f"$CWD/{file}", "content": content}}


class Kind(NamedTuple):
    """A lesson, the call that breaks it, one that obeys it, and others that are none of its business."""

    lesson: str
    unwanted: Call
    trace: str
    """A file that stands in the project once the unwanted call ran."""
    wanted: Call
    others: tuple[Call, ...]


KINDS = {
    "command": Kind(
        "Use pnpm, not npm",
        _run("cd . && CI=1 npm --version > by-npm.txt"),
        "by-npm.txt",
        _run('pnpm() { echo "$@"; }; pnpm add right-pad'),
        (
            _run("echo 'npm install is what others write'"),
            _run("git log --oneline -1 || true"),
            _run("ls node_modules/npm 2>/dev/null; which npm"),
            _write("notes.md", "We left npm behind.\n"),
        ),
    ),
    "flag": Kind(
        "Never commit with --no-verify",
        _run("git -c user.name=a -c user.email=a@b commit --allow-empty --no-verify -qm x; touch quick.txt"),
        "quick.txt",
        _run("git -c user.name=a -c user.email=a@b commit --allow-empty -qm 'no --no-verify here'"),
        (
            _run("git status --short"),
            _run("echo --no-verify"),
            _run("git push --dry-run 2>/dev/null || true"),
            _write("hooks.md", "`git commit --no-verify` skips the hooks.\n"),
        ),
    ),
    "file": Kind(
        "Never edit anything in generated/",
        _write("generated/api.ts", "export {}\n"),
        "generated/api.ts",
        _write("src/api.ts", "export {}\n"),
        (
            _run("ls generated 2>/dev/null || true"),
            _run("cat generated/api.ts 2>/dev/null || true"),
            _write("docs/generated.md", "What is generated, and how.\n"),
            _write("src/generated.ts", "export const made = 1\n"),
        ),
    ),
    "content": Kind(
        "Use logger.info, never console.log",
        _write("src/a.ts", "export const a = () => console.log(1)\n"),
        "src/a.ts",
        _write("src/b.ts", "export const b = () => logger.info(1)\n"),
        (
            _run("grep -rn console.log . || true"),
            _write("docs/logging.md", "Do not use console.log.\n"),
            _write("src/c.ts", "export const console_log_level = 1\n"),
            _run("echo 'console.log(1)'"),
        ),
    ),
}
CASES = [(kind, ending) for kind in KINDS for ending in ("heeded", "ignored")]
_ALLOWED = ["--allowedTools", "Bash,Write", "--permission-mode", "acceptEdits"]


@pytest.fixture
def lab(new_lab: NewLab) -> Lab:
    return new_lab()


@pytest.mark.parametrize(("name", "ending"), CASES)
def test_only_the_unwanted_call_is_stopped_and_the_outcome_is_a_person_s(
    lab: Lab, name: str, ending: str
) -> None:
    kind = KINDS[name]
    lab.play_steps([{"prompt": "Say hello"}], [{"text": "Hello."}])  # the project is there then
    lab.learn("add", kind.lesson)
    last = kind.wanted if ending == "heeded" else kind.unwanted
    calls = [*kind.others, kind.unwanted, last]
    played = lab.play_steps(
        [{"prompt": "Do what is on the list", "args": _ALLOWED}],
        [*({"tools": [call]} for call in calls), {"text": "Done."}],
    )
    receipts = [event["payload"] for event in lab.events("recall")]
    stopped = [receipt for receipt in receipts if receipt.get("stop")]
    assert len(stopped) == 1, played.report
    assert (lab.project / kind.trace).exists() is (ending == "ignored"), played.report
    denied = [
        place for place in played.places("so the call was stopped") if place.request == len(kind.others) + 1
    ]
    assert denied, "the agent reads the reason in place of the result"
    before, _, _ = denied[0].text.partition(f"{kind.lesson}. (")
    assert before == "" or before.endswith("hook error: "), "the lesson first, after the client's words"
    lab.learn("ingest")
    assert not lab.events("refusal"), "a stopped call is no words of the person"
    assert lab.listing("lessons", "--drafts") == []
    (lesson,) = lab.listing("lessons")
    outcomes = {outcome: lesson["usage"][outcome] for outcome in ("heeded", "ignored", "corrected")}
    assert outcomes == {"heeded": 0, "ignored": 0, "corrected": 0, ending: 1}, played.report


DUE = "Add an entry to CHANGELOG.md with every change in src/"


@pytest.mark.parametrize("ending", ["heeded", "ignored"])
def test_what_is_due_is_told_at_the_change_and_reminded_of_once_at_the_end(lab: Lab, ending: str) -> None:
    lab.play_steps([{"prompt": "Say hello"}], [{"text": "Hello."}])  # the project is there then
    lab.learn("add", DUE)
    (lesson,) = lab.listing("lessons")
    lab.learn("check", lesson["id"], "--stop")
    others = (
        _run("ls"),
        _write("docs/plan.md", "A plan.\n"),
        _run("git status --short"),
        _run("cat src/a.py || true"),
    )
    change = _write("src/a.py", "A = 1\n")
    settling = [{"tools": [_write("CHANGELOG.md", "- A is there.\n")]}] if ending == "heeded" else []
    played = lab.play_steps(
        [{"prompt": "Do what is on the list", "args": _ALLOWED}],
        [
            *({"tools": [call]} for call in (*others, change)),
            {"text": "Done."},
            *settling,
            {"text": "Done now."},
        ],
    )
    receipts = [
        (event["payload"]["moment"], bool(event["payload"].get("stop"))) for event in lab.events("recall")
    ]
    assert receipts == [("tool", False), ("end", False)], played.report
    assert (lab.project / "src/a.py").exists(), "nothing is stopped"
    lab.learn("ingest")
    (lesson,) = lab.listing("lessons")
    outcomes = {outcome: lesson["usage"][outcome] for outcome in ("heeded", "ignored", "corrected")}
    assert outcomes == {"heeded": 0, "ignored": 0, "corrected": 0, ending: 1}, played.report
