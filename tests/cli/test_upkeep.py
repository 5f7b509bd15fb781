"""A lesson that is ignored on the command line: its story in words, and a command for each way out."""

import pytest

from learnloop.cli.main import main
from learnloop.ingest.run import ingest
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import clock
from tests.ingest.session_scene import Scene, write

DAY_MS = 86_400_000


@pytest.fixture
def ignored(ws: Workspace) -> str:
    """A lesson that three sessions were told and broke, the last of them complained about; its short id."""
    early = Scene("s0", "/code/shop", clock.now_ms() - 10 * DAY_MS).prompt("add left-pad", "p1")
    write(
        ws.root,
        early.call("Bash", "npm i left-pad").stop().prompt("no, use pnpm instead of npm", "p2").stop(),
    )
    ingest(ws.root, wait_s=5)
    [lesson_id] = verdicts.add(
        ws, "pnpm installs packages, not npm.", scope="project", project="/code/shop", stops=False
    ).lesson_ids
    for session in ("s1", "s2", "s3"):
        scene = Scene(session, "/code/shop", clock.now_ms()).prompt("add left-pad", "p1")
        receipt = {"moment": "tool", "lessons": [{"id": lesson_id, "score": 80}], "chars": 50}
        scene.add("recall", receipt).call("Bash", "npm install left-pad").stop()
        write(ws.root, scene)
    write(ws.root, scene.prompt("no, I said pnpm! why do you still use npm?", "p2").stop())
    ingest(ws.root, wait_s=5)
    return lesson_id[:6]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_upkeep_names_a_command_for_each_way_out(ignored: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "lessons", "--upkeep")
    short = out.split()[0]
    assert ignored.startswith(short)
    lines = out.splitlines()
    assert lines[1].startswith("  ignored: told 3× · ignored 3, last ")
    commands = [
        f"check {short} --stop",
        f"edit {short}",
        f"edit --archive {short}",
        f"edit --keep {short}",
    ]
    assert [line.split("  ")[1] for line in lines[2:]] == [f"learn {command}" for command in commands]
    assert "stops a call that breaks it" in lines[2]
    assert main(["check", short, "--stop"]) == 0
    assert "--stop" not in printed(capsys, "lessons", "--upkeep"), "it stops already"


def test_counts_and_words_stand_where_the_lesson_is_shown(
    ignored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = printed(capsys, "show", ignored)
    assert "told 3× · ignored 3, last " in shown
    assert "1 correction about npm in the 10 days before that are recorded, 1 in the day since" in shown
    assert "usefulness" not in shown
    assert "  3×     0/3  " in printed(capsys, "lessons")
    assert "; 0 of 3 judged recalls heeded (0 %)" in printed(capsys, "status")
