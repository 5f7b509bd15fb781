"""The whole chain in processes of its own: the background ingest starts a reading, which takes facts in."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from learnloop.hosts import deploy
from learnloop.service.facts import listing
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import paths
from tests.auto_scene import DOCSTRINGS, AutoProject
from tests.distill.model_scene import FakeModel
from tests.fact_scene import item, reading, say
from tests.recorded_events import fire

_MOST_S = 60


@pytest.fixture
def shop(ws: Workspace, tmp_path: Path) -> AutoProject:
    shop = AutoProject(ws.root, tmp_path / "shop")
    shop.allow()
    verdicts.add(ws, "Deploys are signed", scope="project", project=shop.name)
    say(ws.root, "No, don't add docstrings to the handlers", project=shop.name)
    fire(ws.root, "SessionEnd", reason="prompt_input_exit", cwd=shop.name)
    return shop


def _background(root: str, folder: str) -> None:
    """What a hook of the project starts, with the variables of its agent."""
    env = {**os.environ, "CLAUDECODE": "1", "CLAUDE_PROJECT_DIR": folder}
    subprocess.run([*deploy.INGEST, root], env=env, check=True, timeout=_MOST_S)


def _wait(shop: AutoProject) -> None:
    deadline = time.monotonic() + _MOST_S
    while shop.status(DOCSTRINGS) != "active":
        assert time.monotonic() < deadline, [run.as_json() for run in listing.runs(shop.ws)]
        signal.sigtimedwait([], 0.02)


def test_the_end_of_a_session_is_enough(
    shop: AutoProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeModel(tmp_path / "model", monkeypatch)
    model.settings_file("auto")
    model.answers(reading(item(DOCSTRINGS)))
    _background(shop.root, shop.name)
    _wait(shop)
    assert shop.learned.count(f"- {DOCSTRINGS}") == 1
    decision = next(each for each in documents.decisions(shop.root) if each.by == "facts")
    assert (decision.claimed, decision.door) == ("", "facts")
    assert not Path(paths.log(shop.root), "facts.log").exists()


@pytest.mark.slow
def test_a_hook_of_another_project_takes_nothing_in(
    shop: AutoProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = FakeModel(tmp_path / "model", monkeypatch)
    model.settings_file("auto")
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    reader = [sys.executable, "-I", "-m", "learnloop.service.facts.reader", shop.root]
    env = {**os.environ, "CLAUDE_PROJECT_DIR": str(other), "LEARNLOOP_FACTS_MODE": "auto"}
    subprocess.run(reader, env=env, check=True, timeout=_MOST_S)
    assert (listing.runs(shop.ws), shop.learned, model.seen) == ([], "", [])
