"""History says what was decided in the words that a lesson had then."""

from learnloop.service.history import sentences, undo
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from tests.store.small_stores import workspace

FIRST, SECOND, THIRD = "ppp", "Find the cause of a flaky test.", "Never retry a flaky test."


def _quoted(ws: Workspace) -> list[tuple[str, str, bool]]:
    """The verb, the quoted words and whether it is undone, oldest first."""
    return [
        (entry["action"], entry["sentence"].partition("“")[2].partition("”")[0], entry["undone"])
        for entry in reversed(sentences.history(ws))
    ]


def test_what_was_approved_is_quoted_as_it_was(root: str) -> None:
    ws = workspace(root, "no, use uv instead of pip")
    [lesson_id] = documents.lessons(root)
    drafted = documents.lessons(root)[lesson_id]["statement"]
    verdicts.promote(ws, lesson_id, statement=FIRST)
    undo.undo(ws)
    verdicts.promote(ws, lesson_id)
    verdicts.edit(ws, lesson_id, {"statement": SECOND})
    verdicts.pause(ws, lesson_id, True)
    verdicts.edit(ws, lesson_id, {"statement": THIRD})
    undo.undo(ws)
    undo.redo(ws)
    assert _quoted(ws) == [
        ("promote", FIRST, True), ("undo", FIRST, False), ("promote", drafted, False),
        ("edit", SECOND, False), ("pause", SECOND, False), ("edit", THIRD, False),
        ("undo", THIRD, False), ("redo", THIRD, False),
    ]  # fmt: skip


def test_only_what_stays_of_two_gets_the_words(root: str) -> None:
    ws = workspace(root, "no, use uv instead of pip")
    old = verdicts.add(ws, "Tabs are used.").lesson_ids[0]
    [new] = [name for name in documents.lessons(root) if name != old]
    verdicts.set_scope(ws, new, "global")
    verdicts.replace(ws, new, old, statement="Spaces are used.")
    verdicts.restore(ws, old)
    verdicts.edit(ws, new, {"statement": THIRD})
    replaced, restored = (sentences.history(ws)[at]["sentence"] for at in (2, 1))
    assert replaced.startswith("Replaced ")
    assert "“Tabs are used.” by " in replaced
    assert "“Spaces are used.”" in replaced
    assert "“Tabs are used.”" in restored
