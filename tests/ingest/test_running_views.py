"""The running views of many sessions: the newest 500 are kept, each is small, and turns go on in them."""

import json
from typing import Any

from learnloop.ingest.run import ingest
from learnloop.store.document_table import KINDS, VIEWS
from learnloop.store.store import Store
from tests.ingest.session_scene import START, Scene, write

MOST = KINDS[VIEWS].most
MORE = 20
"""Sessions beyond those that are kept."""
_MINUTE = 60_000
_SMALL, _BUSIEST = 4_000, 150_000
"""Characters of an ordinary view, and of the view of a session in which very much happened."""


def scene(number: int) -> Scene:
    """A session whose turn still runs, a minute after the one before."""
    running = Scene(f"s{number:03}", start=START + number * _MINUTE)
    running.add("session_start", {"source": "startup"}).prompt(f"write test {number}", f"p{number}")
    return running.call("Write", f"/code/shop/test_{number}.py", prompt_id=f"p{number}")


def views(root: str) -> dict[str, dict[str, Any]]:
    return Store(root).documents(VIEWS)


def size(view: dict[str, Any]) -> int:
    return len(json.dumps(view))


def test_the_newest_sessions_keep_their_view_and_each_is_small(root: str) -> None:
    scenes = [scene(number) for number in range(MOST + MORE)]
    for first in range(0, len(scenes), 200):
        write(root, *scenes[first : first + 200])
        ingest(root)
    assert sorted(views(root)) == [f"claude/{each.session}" for each in scenes[MORE:]]
    assert max(map(size, views(root).values())) < _SMALL
    assert len(Store(root).sessions()) == len(Store(root).turns()) == len(scenes)
    oldest = scenes[0].session  # whose view went: it begins a turn, and keeps the former one
    write(root, Scene(oldest, start=START + len(scenes) * _MINUTE).prompt("and the docs", "later"))
    ingest(root)
    assert [turn.prompt for turn in Store(root).turns(oldest)] == ["and the docs", "write test 0"]
    assert f"claude/{oldest}" in views(root)
    assert len(views(root)) == MOST


def test_turns_go_on_in_every_kept_view_and_no_document_of_another_session_changes(root: str) -> None:
    scenes = [scene(number) for number in range(MOST + MORE)]
    write(root, *scenes)
    ingest(root)
    before = {turn.session_id: turn for turn in Store(root).turns()}
    later = START + len(scenes) * _MINUTE
    ends = [Scene(each.session, start=later) for each in scenes[MORE:]]
    for end, each in zip(ends, scenes[MORE:], strict=True):
        end.stop(f"{each.session} is done.", prompt_id=f"p{int(each.session[1:])}")
    write(root, *ends)
    ingest(root)
    after = {turn.session_id: turn for turn in Store(root).turns()}
    assert len(after) == len(Store(root).turns()) == len(scenes)
    for session, turn in after.items():
        is_kept = session >= scenes[MORE].session
        assert turn.claim == (f"{session} is done." if is_kept else "")
        assert (turn.id, turn.prompt, turn.files) == (
            before[session].id, before[session].prompt, before[session].files
        )  # fmt: skip


def test_a_view_stays_small_however_much_happens_in_its_session(root: str) -> None:
    busy = Scene("busy")
    for number in range(15):
        busy.prompt(f"{number} {'word ' * 800}", f"p{number}")
        for call in range(70):
            busy.call("Bash", f"pytest {call} {'x' * 500}", prompt_id=f"p{number}", use=f"b{number}/{call}")
            busy.call(
                "Write", f"/code/{call}/{'y' * 200}.py", prompt_id=f"p{number}", use=f"w{number}/{call}"
            )
        busy.stop("Done. " * 500, prompt_id=f"p{number}")
    write(root, busy)
    ingest(root)
    (view,) = views(root).values()
    assert size(view) < _BUSIEST
