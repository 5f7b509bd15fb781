"""A hook can never hurt the agent, other hooks keep running, and what we start ourselves is not recorded."""

import json
import threading

import pytest
from watchfiles import watch

from learnloop.store.store import Store
from tests.e2e.conftest import NewLab
from tests.e2e.lab import LEARN, Lab, Play

pytestmark = pytest.mark.e2e


def _worked(lab: Lab, played: Play) -> None:
    assert (lab.project / "notes.txt").read_text() == "kept\n"
    assert "step 0: exit 0" in played.report
    assert "stderr: -" in played.report
    assert "result: success 'Worked on.'" in played.report
    assert "hook_error" not in played.report
    assert not played.places("learnloop"), "no hook command or message of ours in front of the model"


def test_the_agent_works_with_the_hooks(new_lab: NewLab) -> None:
    lab = new_lab()
    _worked(lab, lab.play("broken"))
    assert [e["payload"]["tool"] for e in lab.events("tool_end")] == ["Write", "Bash"]


def test_the_agent_works_on_when_the_hook_folder_is_deleted(new_lab: NewLab) -> None:
    lab = new_lab()
    _worked(lab, lab.play("broken", 'rm -rf "$LEARNLOOP_HOME/hooks"'))
    assert lab.events() == []


def test_the_agent_works_on_when_the_whole_store_is_deleted(new_lab: NewLab) -> None:
    lab = new_lab()
    _worked(lab, lab.play("broken", 'rm -rf "$LEARNLOOP_HOME"'))


def test_the_agent_works_on_when_the_interpreter_is_gone(new_lab: NewLab) -> None:
    lab = new_lab()
    interpreter = r"s#/[^ \"'\'']*/python3[.0-9]*#/nowhere/python3#g"
    played = lab.play("broken", f"sed -i -E '{interpreter}' \"$HOME/.claude/settings.json\"")
    assert "/nowhere/python3" in lab.settings.read_text()
    assert (lab.project / "notes.txt").read_text() == "kept\n"
    assert "result: success 'Worked on.'" in played.report


def test_a_client_that_we_start_is_not_recorded(new_lab: NewLab) -> None:
    lab = new_lab()
    played = lab.play("nested")
    assert played.places("INNER:"), "the inner client did ask the model"
    assert [e["payload"]["prompt"] for e in lab.events("prompt")] == ["Outer question"]
    assert len({e["session_id"] for e in lab.events()}) == 1


def test_other_hooks_keep_running_and_uninstall_puts_the_file_back(new_lab: NewLab) -> None:
    lab = new_lab("plain")
    keep = f"cp '{lab.settings}' '{lab.work}/before.json'"
    lab.play("broken", keep, f"'{LEARN}' install", install=False, recorder=True)
    assert {"SessionStart", "UserPromptSubmit", "PreToolUse", "Stop"} <= {r["event"] for r in lab.hooked()}
    assert lab.events("prompt")
    lab.learn("uninstall")
    before, after = (lab.work / "before.json").read_text(), lab.settings.read_text()
    assert json.loads(after) == json.loads(before)
    assert list(json.loads(after)["hooks"]) == list(json.loads(before)["hooks"])


def test_a_draft_appears_without_any_command(new_lab: NewLab) -> None:
    lab = new_lab()
    lab.play("correction")
    assert Store(str(lab.root)).lessons() == []
    lab.play("at_prompt", LEARNLOOP_BACKGROUND="1")
    for _ in watch(lab.root, rust_timeout=200, yield_on_timeout=True, stop_event=_deadline(30)):
        if Store(str(lab.root)).lessons():
            break
    assert [lesson.status for lesson in Store(str(lab.root)).lessons()] == ["draft"]


def _deadline(seconds: float) -> threading.Event:
    """An event that is set after so many seconds."""
    over = threading.Event()
    timer = threading.Timer(seconds, over.set)
    timer.daemon = True
    timer.start()
    return over
