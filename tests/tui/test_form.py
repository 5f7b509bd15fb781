"""The edit form's values."""

from learnloop.models import Triggers
from learnloop_tui import form
from tests.tui.fakes import lesson


def test_nothing_typed_is_nothing_changed() -> None:
    found = lesson(1, triggers=Triggers(file_patterns=("*.py", "src/**")), title="A title")
    assert form.changes(found, form.fields(found)) == {}


def test_only_what_differs_is_changed() -> None:
    found = lesson(1)
    typed = form.fields(found) | {"title": "  New\n title ", "priority": "HIGH"}
    assert form.changes(found, typed) == {"title": "New title", "priority": "HIGH"}


def test_filled_in_words_of_a_wordless_draft_count_as_changed() -> None:
    found = lesson(1, statement="", needs_words=True, quote="not so")
    assert form.fields(found)["statement"] == "not so"
    assert form.changes(found, form.fields(found)) == {"statement": "not so"}


def test_triggers_are_typed_with_commas() -> None:
    found = lesson(1)
    typed = form.fields(found) | {"command_patterns": "git push*, git push*,  npm run x ,"}
    triggers = form.changes(found, typed)["triggers"]
    assert triggers["command_patterns"] == ["git push*", "npm run x"]
    assert triggers["file_patterns"] == ["*.py"]


def test_what_cannot_be_is_named() -> None:
    typed = form.fields(lesson(1))
    assert form.problem(typed) is None
    assert form.problem(typed | {"statement": " \n"}) is not None
    for name, most in (("statement", 500), ("title", 100), ("description", 1000)):
        assert form.problem(typed | {name: "x" * most}) is None
        found = form.problem(typed | {name: "x" * (most + 1)})
        assert found is not None
        assert found[0] == name
