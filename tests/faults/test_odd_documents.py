"""What is no regular file in place of any document below the root: verbs say why at once, no hook waits."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from learnloop.cli.main import main
from tests import waits
from tests.demo_stores import DemoStores
from tests.hooks.agent import Agent

LIMIT_S = 8.0
"""So long a verb may work, and as long sleep, until it says why; what reads an endless file never does."""
BY_NAME = (
    "journal.jsonl", "journal.1700000000000-000000.fold", "config.toml", "decisions.key",
    "decisions.head", "install.json", "export.key", "console-visit.json", "ballast", "unkept", "ingest.stamp",
    "redaction", "settings-note", "record-off", "off", "recall-off", "store.lock", "fold.lock",
    "publish.lock", "patches.lock", "console.lock", "background.lock", "install.lock", "recall/index",
    "recall/index.known", "facts.lock", "facts/paused", "facts/resumed", "facts/started", "facts/under-way",
    "recall/index.words", "recall/news", "console/rows", "log/left-out.json", "log/background.log",
    "backups/patches/index.jsonl", "reanalysis/complete.json", "store/agents.json",
    "store/decisions.json", "store/health.json", "store/imported_agents.json", "store/imported_memories.json",
    "store/imported_preferences.json", "store/lessons.json", "store/patches.json", "store/patterns.json",
    "store/preferences.json", "store/state.json", "store/told_sessions.json", "store/history.db",
    "history.open.lock", "history.new.lock", "history.lock",
)  # fmt: skip
MANY = (
    "backups/patches/", "backups/store/", "demo-home/", "events/", "facts/known/", "quarantine/",
    "recall/sessions/", "spool/",
)  # fmt: skip
"""Folders of documents without a name of their own."""
DOCUMENTS = (*BY_NAME, *(f"{folder}9999999999-0.jsonl" for folder in MANY))
TELLING = (
    "journal.jsonl",
    "config.toml",
    "decisions.key",
    "recall/index",
    "store/lessons.json",
    "store/state.json",
    "store/history.db",
)
"""The documents that the short run tries."""
VERBS = (["status"], ["lessons"], ["doctor"], ["ingest"])
Make = Callable[[Path], None]


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def link(path: Path) -> None:
    """A link to what never ends."""
    path.symlink_to("/dev/zero")


def listener(path: Path) -> None:
    os.mknod(path, stat.S_IFSOCK | 0o600)


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 36)


def unreadable(path: Path) -> None:
    path.write_bytes(b"{}")
    path.chmod(0)


OTHERS = (folder, link, listener, huge, unreadable)


def put(root: str, name: str, make: Make) -> None:
    path = Path(root, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    make(path)


@pytest.fixture
def store(root: str, demo_stores: DemoStores) -> str:
    demo_stores.copy_of_today(root)
    return root


def test_every_document_of_a_store_is_in_the_table(store: str) -> None:
    names = {path.relative_to(store).as_posix() for path in Path(store).rglob("*") if path.is_file()}
    assert {name for name in names if not name.startswith(MANY)} <= set(BY_NAME)


@pytest.mark.parametrize(
    ("name", "make"),
    [
        pytest.param(name, make, marks=[pytest.mark.slow] * (make is not fifo or name not in TELLING))
        for name in DOCUMENTS
        for make in (fifo, *OTHERS)
    ],
)
def test_verbs_say_why_at_once(store: str, name: str, make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    put(store, name, make)
    last = Path(name).name
    for verb in VERBS:
        with waits.counted(LIMIT_S):
            code = main(verb)
        out, err = capsys.readouterr()
        assert code in (0, 1), err
        if verb == ["doctor"]:
            assert last in out or make in (folder, unreadable)
        else:
            assert code == 0 or last.partition(".")[0] in err


@pytest.mark.slow
@pytest.mark.parametrize("make", [fifo, huge])
@pytest.mark.parametrize("name", [name for name in DOCUMENTS if not name.startswith(("store/", "backups/"))])
def test_no_hook_waits(agent: Agent, name: str, make: Make) -> None:
    put(agent.root, name, make)
    agent.has_alarm = False
    for event in ("SessionStart", "UserPromptSubmit"):
        agent.fire(event, prompt="deploy", source="startup")
