"""The edit form's values."""

from learnloop_tui.view import form
from tests.tui.fakes import lesson


def test_only_what_differs_is_changed() -> None:
    found = lesson(1)
    typed = form.fields(found) | {"title": "  New\n title ", "priority": "HIGH"}
    assert form.changes(found, typed) == {"title": "New title", "priority": "HIGH"}


def test_what_was_said_is_never_filled_in_and_a_draft_may_stay_without_words() -> None:
    draft = lesson(1, statement="", needs_words=True, quote="not so")
    typed = form.fields(draft) | {"priority": "HIGH"}
    assert typed["statement"] == ""
    assert form.changes(draft, typed) == {"priority": "HIGH"}
    assert form.problem(typed, needs_words=True) is None


def test_what_cannot_be_is_named() -> None:
    typed = form.fields(lesson(1))
    assert form.problem(typed) is None
    assert form.problem(typed | {"statement": " \n"}) is not None
    for name, most in (("statement", 500), ("title", 100), ("description", 1000)):
        assert form.problem(typed | {name: "x" * most}) is None
        found = form.problem(typed | {name: "x" * (most + 1)})
        assert found is not None
        assert found[0] == name


CHECKLIST = {"title": "Release", "items": ("tag", "changelog"), "format": "numbered"}


def test_an_untouched_content_is_no_change_and_a_touched_item_is() -> None:
    found = lesson(1, kind="checklist", content=CHECKLIST)
    filled = form.fields(found)
    assert form.changes(found, filled) == {}
    assert filled["checklist-items"] == "tag\nchangelog"
    changed = form.changes(found, filled | {"checklist-items": "tag\n\n notes \n"})
    assert changed == {"content": {"title": "Release", "items": ["tag", "notes"], "format": "numbered"}}


def test_another_kind_takes_along_what_has_a_place_there() -> None:
    found = lesson(1, kind="checklist", content=CHECKLIST)
    typed = form.fields(found)
    carried = form.carried(found, "checklist", "warning", typed)
    assert carried["warning-risk"] == "tag; changelog"
    assert form.carried(found, "checklist", "warning", typed | {"warning-risk": "mine"}) == {}
    changed = form.changes(found, typed | carried | {"kind": "warning"})
    assert (changed["kind"], changed["content"]["risk"]) == ("warning", "tag; changelog")


def test_each_field_of_a_kind_is_checked_by_itself() -> None:
    typed = form.fields(lesson(1)) | {"kind": "warning"}
    assert form.problem(typed) is None, "content may be left empty"
    assert form.problem(typed | {"warning-mitigation": "a backup"}) == ("warning-risk", "“risk” is empty.")
    found = form.problem(typed | {"warning-risk": "x" * 301})
    assert found == ("warning-risk", "“risk” is too long: 300 characters is the most.")
    listed = form.fields(lesson(1)) | {"kind": "checklist", "checklist-items": "one\n" + "y" * 161}
    assert form.problem(listed) == ("checklist-items", "“items” 2 is too long: 160 characters is the most.")


def test_triggers_that_match_everything_or_nothing_are_named() -> None:
    for value in ("**", "../up", "a[b", "x" * 501, ", ".join(f"f{n}.py" for n in range(101))):
        found = form.problem(form.fields(lesson(1)) | {"file_patterns": value})
        assert found is not None, value
        assert found[0] == "file_patterns"
