"""Stores whose settings name the tiny model."""

import json
from collections.abc import Sequence
from pathlib import Path

from learnloop import settings
from learnloop.ingest import earlier_tasks
from learnloop.ingest.run import ingest
from learnloop.wire import clock, paths
from tests.ingest.session_scene import Scene, write
from tests.vectors import tiny_model

NOON = clock.parse_ms("2026-03-10T12:00:00.000Z")
DAY_MS = 86_400_000
PROJECT = "/code/shop"


def set_model(folder: Path | str) -> None:
    """Name a folder in the settings."""
    path = Path(paths.config_file())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"[vectors]\nmodel = {json.dumps(str(folder), ensure_ascii=False)}\n")


def with_model(root: str, words: dict[str, Sequence[float]] | None = None) -> Path:
    """Make a tiny model beside a root and name it."""
    folder = tiny_model.write(Path(root).parent / "tiny", words or tiny_model.WORDS)
    set_model(folder)
    return folder


def asked(session: str, words: str, file: str, *, day: int = 0, project: str = PROJECT) -> Scene:
    """A session that asks for something and writes a file."""
    scene = Scene(session, project, start=NOON + day * DAY_MS).prompt(words, "p1")
    return scene.call("Edit", f"{project}/{file}", prompt_id="p1").stop(prompt_id="p1")


def corrected(session: str, words: str, file: str, *, day: int = 0) -> Scene:
    """The same, and the person had it otherwise: agents are told that."""
    made = asked(session, words, file, day=day)
    return made.prompt("No, that's wrong, use pnpm instead of npm", "p2").stop(prompt_id="p2")


def add(root: str, *scenes: Scene) -> None:
    """Take sessions in, as the background ingest does."""
    write(root, *scenes)
    ingest(root)
    assert earlier_tasks.refresh(root, model=settings.load().vectors.model)
