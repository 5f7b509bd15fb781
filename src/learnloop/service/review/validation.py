"""Check the changes of a lesson before they are decided: a refusal names the field and what to do."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from learnloop.errors import Refused
from learnloop.learn.lessons import content as kinds
from learnloop.learn.lessons import sanitize, trigger_limits
from learnloop.models.kinds import is_empty
from learnloop.recall import compile as compiling
from learnloop.service.id_prefix import shown
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, render

if TYPE_CHECKING:
    from learnloop.models import Lesson

_NOTHING = "nothing was changed"


def complete(ws: Workspace, lesson: "Lesson", changes: dict[str, Any]) -> dict[str, Any]:
    """The changes with a content that fits the kind; raises Refused where a field is not valid.

    `content` may have some fields only: the others keep their value, converted where the kind changes.
    """
    before = lesson.as_json()
    new_fields = {**changes, **_content(before, changes)}
    if wrong := trigger_limits.problem(new_fields.get("triggers") or {}):
        raise Refused(f"{wrong[0]}: {wrong[1]}", _NOTHING)
    _refuse_hazards(ws, new_fields)
    if new_fields.keys() & {"statement", "content", "kind"}:
        _refuse_long(ws, {**before, **new_fields})
    return new_fields


def future_day(value: object) -> str | None:
    """A day or time to come as it is stored, None for none; raises Refused for any other value."""
    if not value:
        return None
    ms = clock.parse_ms(value, default=-1)
    if ms < 0:
        raise Refused(f"{str(value)[:40]!r} is no day", "write it as 2027-01-31; nothing was changed")
    if ms <= clock.now_ms():
        raise Refused(f"{str(value)[:40]} is over", "learn edit --archive takes a lesson out of use at once")
    return clock.iso(ms)


def _content(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    kind = str(changes.get("kind", before["kind"]))
    if "content" not in changes and kind == before["kind"]:
        return {}
    given, had_none = changes.get("content", {}), is_empty(before.get("content"))
    if given is None or (not given and had_none):
        return {"content": None}
    content = {**({} if had_none else kinds.convert_content(before, kind)), **given}
    content = {name: value for name, value in content.items() if value not in ("", None, (), [])}
    for name, wrong in kinds.problems(kind, content).items():
        raise Refused(f"content.{name}: {wrong}", f"{_NOTHING}; give it with --set content.{name}=…")
    return {"content": kinds.validated_content(kind, content)}


def _refuse_hazards(ws: Workspace, changes: dict[str, Any]) -> None:
    words = ("statement", "title", "description", "example", "counter_example")
    texts = {name: changes[name] for name in words if changes.get(name)}
    texts |= {f"content.{name}": value for name, value in (changes.get("content") or {}).items()}
    is_id = compiling.names(documents.lessons(ws.root))
    for name, value in texts.items():
        for text in value if isinstance(value, list | tuple) else [value]:
            if wrong := sanitize.hazard(str(text), is_id):
                raise Refused(f"{name}: {wrong}", f"{_NOTHING}; say it in other words")


def refuse_triggers(chosen: Iterable["Lesson"]) -> None:
    """Raise Refused for imported lessons whose triggers match everything or nothing."""
    for lesson in chosen:
        if wrong := trigger_limits.problem(lesson.triggers.model_dump()):
            raise Refused(
                f"{shown(lesson.id)}: {wrong[0]}: {wrong[1]}", "change it first: e in learn-tui, learn edit"
            )


def hazard_in(ws: Workspace, statement: str) -> str:
    """A message where a statement imitates an id or markup of the hooks, else empty."""
    return sanitize.hazard(statement, compiling.names(documents.lessons(ws.root)))


def _refuse_long(ws: Workspace, after: dict[str, Any]) -> None:
    room = render.most_characters(ws.settings.budgets.call_tokens) - len(str(after["id"])[:6])
    length = len(kinds.essential_text(after))
    if length > room and after.get("content"):
        raise Refused(
            f"agents would get {length:,} characters, and a call has room for {room:,}",
            "shorten it, or make two lessons of it; nothing was changed",
        )


def recall_text(ws: Workspace, lesson: "Lesson") -> str:
    """The text that an agent gets of a lesson at a call or prompt, without its short id."""
    room = render.most_characters(ws.settings.budgets.call_tokens)
    is_id = compiling.names(documents.lessons(ws.root))
    record = compiling.record(lesson.as_json(), lesson.id[:6], is_id, room)
    return render.words(record)
