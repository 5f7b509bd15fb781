"""History read anew: what a newer detector makes of it, what a person decided, and what a crash leaves."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from learnloop.errors import Busy
from learnloop.ingest import analyze, prompt_feedback, run
from learnloop.learn.hear import version
from learnloop.service.history import undo
from learnloop.service.intake import analysis
from learnloop.service.review import verdicts
from learnloop.service.transfer import forget
from learnloop.service.workspace import Workspace, open_workspace
from learnloop.store import history, locks, segments, swap
from learnloop.store.document_table import KINDS, VIEWS
from learnloop.store.store import Store
from learnloop.wire import journal
from tests.ingest import month
from tests.ingest.session_scene import Scene, write


def documents(root: str) -> dict[str, Any]:
    """Every document of the store, without what only the running view is for."""
    store = Store(root)
    folder = Path(root, "store")
    names = [str(path.relative_to(folder))[:-5] for path in sorted(folder.rglob("*.json"))]
    return {
        f"{name}#{key}": {field: value for field, value in doc.items() if field[0] != "_"}
        for name in (*names, *KINDS)
        if name not in ("state", VIEWS)
        for key, doc in store.documents(name).items()
    }


def make_deaf(patch: pytest.MonkeyPatch, *words: str) -> None:
    """An older detector: it hears nothing in prompts with one of these words."""

    def deafened(hear: Callable[..., Any], nothing: Any) -> Callable[..., Any]:
        def prompt(view: Any, event: Any, said: str, *args: Any) -> Any:
            return nothing if any(word in said for word in words) else hear(view, event, said, *args)

        return prompt

    patch.setattr(prompt_feedback, "from_prompt", deafened(prompt_feedback.from_prompt, None))
    nothing = prompt_feedback.Learned([])
    patch.setattr(
        prompt_feedback, "lessons_from_prompt", deafened(prompt_feedback.lessons_from_prompt, nothing)
    )


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The month, played once for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("month") / "root"
        patch.setenv("LEARNLOOP_HOME", str(folder))
        month.play(str(folder), per_ingest=6)
    return folder


@pytest.fixture
def played(root: str, once: Path) -> Workspace:
    """A workspace with the month in it."""
    shutil.copytree(once, root, dirs_exist_ok=True)
    return open_workspace(root)


def test_reading_anew_with_the_same_detector_changes_nothing(played: Workspace) -> None:
    before = documents(played.root)
    report = analysis.analyze_all(played)

    assert documents(played.root) == before
    assert (report.relabelled, report.new_drafts, report.dropped_drafts) == (0, 0, 0)
    assert not Path(played.root, swap.FOLDER).exists()


@pytest.mark.slow
def test_a_newer_detector_relabels_history(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        make_deaf(patch, "pytest fixtures", "always run the linter", "forgot")
        month.play(root)
    assert [lesson for lesson in Store(root).lessons() if "linter" in (lesson.statement or "")] == []
    report = analysis.analyze_all(open_workspace(root))
    fresh = f"{root}-fresh"
    month.play(fresh)

    assert report.relabelled >= 2
    assert report.new_drafts >= 2
    made, right = documents(root), documents(fresh)
    assert {key: doc for key, doc in made.items() if key[:6] != "health"} == {
        key: doc for key, doc in right.items() if key[:6] != "health"
    }


def test_verdicts_survive_and_drafts_without_a_rule_go(
    played: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts = {one.id: one for one in Store(played.root).lessons()}
    edited, rejected, left, *_ = drafts
    verdicts.promote(played, [edited], statement="Tests use fixtures.")
    verdicts.edit(played, edited, {"statement": "Fixtures are shared by all tests.", "priority": "HIGH"})
    verdicts.set_scope(played, [edited], "global")
    verdicts.reject(played, [rejected], "not so")
    decided = {one.id: one for one in Store(played.root).lessons()}
    make_deaf(monkeypatch, "")
    monkeypatch.setattr(prompt_feedback, "from_refusal", lambda *_args, **_named: None)
    report = analysis.analyze_all(played)
    found = {one.id: one for one in Store(played.root).lessons()}

    assert found == {key: decided[key] for key in (edited, rejected)}
    assert (report.kept, report.dropped_drafts) == (2, len(drafts) - 2)
    assert left not in found
    assert all(one.inferred for one in Store(played.root).feedback())


def test_what_a_person_decided_under_a_former_id_is_not_drafted_again(root: str) -> None:
    write(root, Scene().corrected("No, use pnpm, not npm. Never commit generated files."))
    run.ingest(root)
    first, second = Store(root).lessons()
    with Store(root).transaction() as tx:  # as an older version stored it
        table = tx.table("lessons")
        doc = table.get(first.id)
        table.remove(first.id)
        table.put(
            "former",
            {**(doc or {}), "id": "former", "source": "correction:blame", "statement": "pnpm is used."},
        )
    verdicts.promote(open_workspace(root), ["former"])
    analysis.analyze_all(open_workspace(root))

    assert {lesson.id: lesson.status for lesson in Store(root).lessons()} == {
        "former": "active", second.id: "draft",
    }  # fmt: skip


def test_a_merge_survives(played: Workspace) -> None:
    keep, other, *_ = [lesson.id for lesson in Store(played.root).lessons()]
    verdicts.set_scope(played, [keep], "global")
    verdicts.merge(played, keep, [other])
    before = {lesson.id: lesson for lesson in Store(played.root).lessons()}
    analysis.analyze_all(played)
    found = {lesson.id: lesson for lesson in Store(played.root).lessons()}

    assert found == before
    assert (found[other].status, found[other].superseded_by) == ("archived", keep)
    undo.undo(played)
    assert {lesson.status for lesson in Store(played.root).lessons()} == {"draft"}


def test_what_is_ingested_meanwhile_is_not_lost(played: Workspace) -> None:
    late = Scene("late").corrected("No, that's wrong, use ruff").events
    rule: list[str] = []

    def meanwhile(done: int, _total: int) -> None:
        if done == 0 and not rule:
            assert journal.append(played.root, late)
            run.ingest(played.root)
            rule.extend(verdicts.add(played, "Answers are short").lesson_ids)

    analysis.analyze_all(played, meanwhile)
    store = Store(played.root)

    assert [one.outcome for one in store.turns("late")][-1] == "revision"
    assert rule[0] in {one.id for one in store.lessons()}
    assert any(one.session_id == "late" for one in store.feedback())
    assert any("ruff" in (one.statement or "") for one in store.lessons())


def test_a_typed_rule_and_its_undo_survive(played: Workspace) -> None:
    (kept,) = verdicts.add(played, "Answers are short", scope="global", project="").lesson_ids
    (gone,) = verdicts.add(played, "Answers are long", scope="global", project="").lesson_ids
    undo.undo(played)
    analysis.analyze_all(played)
    found = {lesson.id for lesson in Store(played.root).lessons()}

    assert kept in found
    assert gone not in found
    undo.redo(played)
    assert gone in {lesson.id for lesson in Store(played.root).lessons()}


def test_what_no_segment_contains_any_more_stays(played: Workspace) -> None:
    before = documents(played.root)
    names = segments.names(played.root)
    for name in names[: len(names) // 2]:
        segments.path(played.root, name).unlink()
    analysis.analyze_all(played)
    after = documents(played.root)

    assert {key for key in before if key.startswith("turns/")} == {
        key for key in after if key.startswith("turns/")
    }
    assert after == before


def test_decisions_made_since_are_applied_after_it(played: Workspace) -> None:
    analysis.analyze_all(played)
    draft = next(
        lesson for lesson in Store(played.root).lessons() if lesson.status == "draft" and lesson.statement
    )
    verdicts.promote(played, [draft.id])
    analysis.analyze_all(played)

    assert next(lesson for lesson in Store(played.root).lessons() if lesson.id == draft.id).status == "active"
    undo.undo(played)
    assert next(lesson for lesson in Store(played.root).lessons() if lesson.id == draft.id).status == "draft"


def test_a_store_says_that_an_older_detector_read_it(
    played: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not analysis.is_outdated(played)
    monkeypatch.setattr(version, "DETECTOR", version.DETECTOR + 1)
    assert analysis.is_outdated(played)
    monkeypatch.setattr(analyze, "DETECTOR", version.DETECTOR)
    analysis.analyze_all(played)

    assert not analysis.is_outdated(played)


def test_two_readings_at_once_are_refused(played: Workspace) -> None:
    with locks.held(Path(played.root, analyze.LOCK), wait_s=0, what="x"), pytest.raises(Busy):
        analysis.analyze_all(played)


def test_progress_ends_where_everything_is_read(played: Workspace) -> None:
    seen: list[tuple[int, int]] = []
    analysis.analyze_all(played, lambda done, total: seen.append((done, total)))

    assert seen[0][0] == 0
    assert all(one <= two for one, two in pairwise(seen))
    assert seen[-1][0] == seen[-1][1] == len(segments.names(played.root))


def test_forgetting_drops_a_reading_that_was_cut_off(played: Workspace) -> None:
    half = Path(swap.shadow(played.root), "store")
    half.mkdir(parents=True)
    (half / "health.json").write_text(json.dumps({"session": "x"}))
    session = Store(played.root).sessions()[0].id
    report = forget.forget(played, session=session)

    assert report.remaining == 0
    assert not Path(swap.shadow(played.root)).exists()


_CHILD = """
import sys
from learnloop.store import {module}
real = {module}.{name}
calls = 0
def stop(*args, **named):
    global calls
    calls += 1
    if calls == {at}:
        print("here", flush=True)
        sys.stdin.read()
    return real(*args, **named)
{module}.{name} = stop
from learnloop.ingest.analyze import analyze
analyze(sys.argv[1])
"""


@pytest.mark.parametrize(
    ("module", "name", "at"),
    [
        ("swap", "complete", 1), ("history", "put_in_place", 1),
        *(pytest.param(*place, marks=pytest.mark.slow) for place in (
            ("history", "path", 9), ("history", "take_vectors", 1), ("segments", "read", 1),
            ("segments", "read", 4), ("swap", "finish", 1), ("files", "ensure", 40),
        )),
    ],
)  # fmt: skip
def test_killed_anywhere_and_run_again_it_is_the_same(
    played: Workspace, module: str, name: str, at: int
) -> None:
    before = documents(played.root)
    code = _CHILD.format(module=module, name=name, at=at)
    with subprocess.Popen(
        [sys.executable, "-c", code, played.root], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, "LEARNLOOP_HOME": played.root},
    ) as child:  # fmt: skip
        assert child.stdout is not None
        assert child.stdout.readline() == b"here\n"
        child.send_signal(signal.SIGKILL)
    assert documents(played.root) == before
    analysis.analyze_all(played)

    assert documents(played.root) == before
    assert not Path(swap.shadow(played.root)).exists()


def test_a_reader_keeps_the_old_database_until_the_new_one_is_in_place(
    played: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Store(played.root).documents("turns")
    stages: list[tuple[int, int]] = []

    def read(done: int, total: int) -> None:
        assert Store(played.root).documents("turns") == before
        stages.append((done, total))

    with history.opened(played.root) as reading:
        reading.execute("SELECT * FROM turns")
        monkeypatch.setattr(history, "WAIT_S", 0.05)
        with pytest.raises(Busy):
            analysis.analyze_all(played, read)
    monkeypatch.undo()
    assert stages
    assert Store(played.root).documents("turns") == before
    run.ingest(played.root)
    with Store(played.root).transaction():
        pass
    assert Store(played.root).documents("turns") == before
    assert {path.name for path in Path(played.root, "store").glob("history*")} == {"history.db"}


def _moves(root: str) -> Iterator[int]:
    names = sorted(path.name for path in Path(root, "store").rglob("*.json"))
    yield from range(0, len(names) + 1, 5)


@pytest.mark.slow
def test_a_swap_that_was_cut_off_is_finished_by_the_next_writer(
    played: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = documents(played.root)
    for moves in list(_moves(played.root)):
        done = 0
        real = Path.replace

        def replace(self: Path, target: Any, *, most: int = moves, real: Any = real) -> Any:
            nonlocal done
            if swap.FOLDER in str(self) and str(target).startswith(f"{played.root}/store/"):
                done += 1
                if done > most:
                    raise KeyboardInterrupt
            return real(self, target)

        with monkeypatch.context() as patch:
            patch.setattr(Path, "replace", replace)
            try:
                analysis.analyze_all(played)
            except KeyboardInterrupt:
                assert swap.is_pending(played.root)
        run.ingest(played.root)
        with Store(played.root).transaction():
            pass
        assert documents(played.root) == before
        assert not Path(swap.shadow(played.root)).exists()


def test_a_lesson_without_evidence_that_an_older_version_lost_comes_back(ws: Workspace) -> None:
    verdicts.add(ws, "Run make check.")
    (lesson,) = Store(ws.root).lessons()
    with Store(ws.root).transaction() as changes:
        changes.table("lessons").remove(lesson.id)
        changes.table("decisions").replace_all({})
    analysis.analyze_all(ws)
    (found,) = Store(ws.root).lessons()
    assert (found.statement, found.evidence) == ("Run make check.", ())
