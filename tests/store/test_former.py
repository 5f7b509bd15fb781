"""Stores of an earlier program become those of this one: nothing is lost, whatever ends the conversion.

The store in `store_of_format_2.tar.xz` was made by the last program that kept turns in files: corrections,
verdicts, an undo, an experiment, and 60 sessions of which some are at rest. `crashed` is the same after an
ingest that died between its files. `whole.json` is what that program made of both. The one in
`store_of_database_2.tar.xz` was made by the last program whose database had no running views: it lacks the
events of its first days, and one was appended that it had not read.
"""

import json
import signal
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from learnloop import errors
from learnloop.ingest.run import ingest
from learnloop.service.health import doctor
from learnloop.service.history import undo
from learnloop.service.tasks import task_list
from learnloop.service.workspace import open_workspace, take_in_store
from learnloop.store import former, history, tinydb_file
from learnloop.store.document_table import KINDS, VIEWS
from learnloop.store.store import Store
from tests.ingest.session_scene import Scene, write

DATA = Path(__file__).parents[1] / "data"
FILES = ("lessons", "decisions", "health", "agents", "patterns", "preferences")
_BOOKKEEPING = ("_drafted", "_segment", "_view")
"""Fields that name a fold, which counts on after a crash."""


@pytest.fixture(scope="session")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("former")
    for name in ("store_of_format_2", "store_of_database_2"):
        with tarfile.open(DATA / f"{name}.tar.xz") as archive:
            archive.extractall(place, filter="data")
    return place


@pytest.fixture
def store(request: pytest.FixtureRequest, unpacked: Path, root: str) -> str:
    """A copy of one of the stores."""
    subprocess.run(["cp", "-a", str(unpacked / request.param), root], check=True)
    return root


both = pytest.mark.parametrize("store", ["whole", "crashed"], indirect=True)
whole = pytest.mark.parametrize("store", ["whole"], indirect=True)
of_database = pytest.mark.parametrize("store", ["database"], indirect=True)


def held(root: str) -> dict[str, list[dict[str, Any]]]:
    store = Store(root)
    return ordered({name: list(store.documents(name).values()) for name in (*FILES, *KINDS) if name != VIEWS})


def ordered(documents: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    return {
        name: sorted(
            ({key: value for key, value in doc.items() if key not in _BOOKKEEPING} for doc in every), key=str
        )
        for name, every in documents.items()
    }


def named(documents: dict[str, list[dict[str, Any]]]) -> dict[str, list[str]]:
    """The ids alone: what is read again is heard by the ear of today."""
    return {
        name: sorted(str(doc.get("id") or doc.get("day")) for doc in documents[name]) for name in documents
    }


def recorded(root: str) -> dict[str, list[str]]:
    """The ids of what no ear has a say in."""
    every = named(held(root))
    return {name: every[name] for name in ("sessions", "turns", "traces", "moments", "primed", "decisions")}


def undisturbed(root: str) -> dict[str, list[dict[str, Any]]]:
    """What the store becomes when nothing comes between."""
    subprocess.run(["cp", "-a", root, f"{root}-twin"], check=True)
    ingest(f"{root}-twin")
    return held(f"{root}-twin")


def expected(unpacked: Path, name: str = "whole") -> dict[str, list[dict[str, Any]]]:
    return ordered(json.loads((unpacked / f"{name}.json").read_text()))


@both
def test_every_document_is_there(store: str, unpacked: Path) -> None:
    ingest(store)
    assert recorded(store) == {name: named(expected(unpacked))[name] for name in recorded(store)}
    assert held(store)["decisions"] == expected(unpacked)["decisions"]
    assert len(task_list.tasks(open_workspace(store))) > 60


@whole
def test_who_only_reads_finds_everything_before_the_first_ingest(store: str, unpacked: Path) -> None:
    assert len(Store(store).turns()) == len(expected(unpacked)["turns"])
    assert held(store) == expected(unpacked)


@pytest.mark.parametrize("store", ["whole", "crashed", "database"], indirect=True)
@pytest.mark.parametrize(
    ("module", "name", "after"),
    [
        ("document_table.Documents", "write", 0), ("transaction.Transaction", "commit", 0),
        *(pytest.param(*place, marks=pytest.mark.slow) for place in (
            ("files", "ensure", 1), ("files", "ensure", 4), ("files", "sync_folder", 0),
            ("repair", "lock", 0),
        )),
    ],
)  # fmt: skip
def test_a_kill_at_any_step_is_repaired_by_the_next_opening(
    store: str, module: str, name: str, after: int
) -> None:
    twin = undisturbed(store)
    owner, _, inner = module.partition(".")
    script = f"""
import os, signal, sys
from learnloop.ingest.run import ingest
from learnloop.store import {owner}
place = {owner}{"." * bool(inner)}{inner}
real, calls = place.{name}, []
def killed(*args, **named):
    if len(calls) == {after}:
        os.kill(os.getpid(), signal.SIGKILL)
    calls.append(1)
    return real(*args, **named)
place.{name} = killed
ingest(sys.argv[1])
"""
    ran = subprocess.run([sys.executable, "-c", script, store], capture_output=True, text=True, check=False)
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    ingest(store)
    assert held(store) == twin
    assert not former.is_due(store)


@whole
def test_the_taking_in_tells_how_far_it_is(store: str) -> None:
    told: list[tuple[int, int]] = []
    take_in_store(open_workspace(store), lambda done, total: told.append((done, total)))
    assert told == [(number, len(told)) for number in range(1, len(told) + 1)] != []
    assert not former.is_due(store)


@whole
def test_a_verdict_can_be_taken_back_and_sessions_go_on(store: str) -> None:
    ws = open_workspace(store)
    before = {lesson.id: lesson.status for lesson in Store(store).lessons()}
    undo.undo(ws)
    after = {lesson.id: lesson.status for lesson in Store(store).lessons()}
    assert before.keys() == after.keys()
    assert before != after
    turns = len(Store(store).turns("d0"))
    write(store, Scene("d0", start=1_763_600_000_000 + 201 * 3_600_000).prompt("one more", "p3"))
    ingest(store)
    assert len(Store(store).turns("d0")) == turns + 1
    (session,) = [each for each in Store(store).sessions() if each.id == "d0"]
    assert session.started < session.last_seen


@whole
def test_old_files_are_kept_until_the_doctor_removes_them(store: str) -> None:
    turns = {path.name: path.read_bytes() for path in Path(store, "store", "turns").iterdir()}
    ingest(store)
    kept = {path.name: path.read_bytes() for path in (former.backup(store) / "turns").iterdir()}
    assert kept == turns
    ws = open_workspace(store)
    assert [check for check in doctor.examine(ws) if str(former.backup(store)) in check.message]
    doctor.examine(ws, fix=True)
    assert not former.backup(store).exists()
    assert not [check for check in doctor.examine(ws) if str(former.backup(store)) in check.message]


@whole
def test_the_program_before_refuses_what_this_one_wrote(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ingest(store)
    write(store, Scene("new").prompt("go on", "p1"))
    monkeypatch.setattr(tinydb_file, "VERSION", 2)
    monkeypatch.setattr(tinydb_file, "ALIKE", (1, 2))
    with pytest.raises(errors.Refused, match=r"newer Learnloop \(format 3, this one knows 2\): update"):
        ingest(store)


@whole
def test_a_file_that_cannot_be_read_is_made_again_from_events(store: str, unpacked: Path) -> None:
    for path in Path(store, "store", "turns").iterdir():
        path.write_bytes(b"{")
    ingest(store)
    assert recorded(store) == {name: named(expected(unpacked))[name] for name in recorded(store)}
    assert Store(store).damage()


@whole
def test_a_file_without_documents_stops_nothing(store: str, unpacked: Path) -> None:
    Path(store, "store", "turns", "2000-01-01-1.json").write_text("{}")
    ingest(store)
    assert recorded(store) == {name: named(expected(unpacked))[name] for name in recorded(store)}


@whole
def test_a_database_that_is_gone_is_made_again_from_events(store: str) -> None:
    ingest(store)
    before = recorded(store)
    history.path(store).unlink()
    ingest(store)
    assert recorded(store) == before


@of_database
def test_a_database_without_running_views_keeps_what_has_no_events_any_more(
    store: str, unpacked: Path
) -> None:
    before = expected(unpacked, "database")
    tasks = {task["id"] for task in before.pop("tasks")}
    assert held(store) == before
    ingest(store)
    after = held(store)
    for name in {*KINDS, "lessons", "decisions", "patterns", "preferences"} - {VIEWS}:
        assert [doc for doc in before[name] if doc not in after[name]] == [], name
    assert {session.id for session in Store(store).sessions()} >= {"d0", "v3", "v4"}
    assert {task.id for task in task_list.tasks(open_workspace(store))} >= tasks
    assert not Store(store).damage()
    assert not history.set_aside(store)


@of_database
def test_a_turn_that_ran_when_the_program_was_replaced_goes_on(store: str) -> None:
    (running,) = Store(store).turns("v3")
    write(store, Scene("v3", start=1_764_508_000_000).stop("Renamed.", prompt_id="p6"))
    ingest(store)
    (ended,) = Store(store).turns("v3")
    assert (running.ended, running.files) == (None, ended.files)
    assert (ended.id, ended.claim, ended.prompt) == (running.id, "Renamed.", running.prompt)
