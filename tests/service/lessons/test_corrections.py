"""Corrections about a lesson in the 30 days before its approval and since, as they are told to a person."""

import pytest

from learnloop.ingest.analyze import analyze
from learnloop.ingest.run import ingest
from learnloop.service.lessons import lesson_hosts, queue
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import clock
from tests.ingest.session_scene import Scene, write

DAY_MS = 86_400_000
PROJECT = "/code/shop"
AGAIN = "no, I said pnpm! why do you still use npm?"


def corrected(ws: Workspace, days: float, words: str, project: str = PROJECT) -> None:
    """A turn that ran npm and was corrected, so many days from now."""
    at = clock.now_ms() + int(days * DAY_MS)
    scene = Scene(f"s{days}", project, at).prompt("add left-pad", "p1").call("Bash", "npm install left-pad")
    write(ws.root, scene.stop().prompt(words, "p2").stop())
    ingest(ws.root, wait_s=5)


def worked(ws: Workspace, days: float) -> None:
    at = clock.now_ms() + int(days * DAY_MS)
    write(ws.root, Scene(f"w{days}", PROJECT, at).prompt("list the open issues", "p1").stop())
    ingest(ws.root, wait_s=5)


def approved(ws: Workspace) -> str:
    [draft] = queue.listing(ws, "draft")
    verdicts.promote(ws, draft.id)
    ingest(ws.root, wait_s=5)
    return draft.id


def test_both_sides_are_counted_and_shorter_ones_named(ws: Workspace) -> None:
    worked(ws, -60)
    corrected(ws, -50, "use pnpm, not npm")
    for days in (-20, -10, -3):
        corrected(ws, days, "use pnpm instead of npm")
    lesson_id = approved(ws)
    before = "3 corrections about npm in the 30 days before"
    assert lesson_hosts.story(ws, lesson_id) == f"{before}, nothing is recorded since"
    corrected(ws, 6, AGAIN)
    assert lesson_hosts.story(ws, lesson_id, later(12)) == f"{before}, 1 in the 12 days since"
    corrected(ws, 35, AGAIN)
    assert lesson_hosts.story(ws, lesson_id, later(90)) == f"{before}, 1 in the 30 days since"
    analyze(ws.root)
    assert lesson_hosts.story(ws, lesson_id, later(90)) == f"{before}, 1 in the 30 days since"


def test_where_history_begins_later_it_says_so(ws: Workspace) -> None:
    worked(ws, -9)
    corrected(ws, -8, "use pnpm, not npm")
    lesson_id = approved(ws)
    worked(ws, 2)
    words = "1 correction about npm in the 9 days before that are recorded, none in the 4 days since"
    assert lesson_hosts.story(ws, lesson_id, later(4)) == words


@pytest.mark.parametrize("project", [PROJECT, "/code/other"])
def test_corrections_before_a_rule_that_was_typed_count_where_it_holds(ws: Workspace, project: str) -> None:
    corrected(ws, -2, "don't use npm here, use pnpm", project)
    rule = verdicts.tell(ws, "Use pnpm, not npm.", scope="project", project=PROJECT).lesson_ids[0]
    ingest(ws.root, wait_s=5)
    story = lesson_hosts.story(ws, rule)
    assert story.startswith("1 correction about npm in the ") if project == PROJECT else story == ""


def later(days: float) -> int:
    return clock.now_ms() + int(days * DAY_MS)
