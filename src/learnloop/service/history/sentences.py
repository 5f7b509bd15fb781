"""The list of decisions, each as one sentence."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypedDict

from learnloop.learn.lessons.claims import STANDING
from learnloop.learn.lessons.decisions import BASE, held_decisions
from learnloop.models import Decision
from learnloop.service.history.undo import stacks
from learnloop.service.id_prefix import shown
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace

_SHOWN = 3
_Docs = Mapping[str, documents.Document]
_Statements = Mapping[str, str]
"""What lessons say, by id."""


class HistoryEntry(TypedDict):
    """A decision with its sentence."""

    id: str
    ts: str
    action: str
    lesson_ids: list[str]
    args: dict[str, Any]
    by: str
    door: str
    terminal: str
    parents: list[str]
    claimed: str
    """Why it waits for a person; empty for one in effect."""
    undone: bool
    sentence: str


def history(
    ws: Workspace, limit: int | None = 50, is_included: Callable[[Decision], bool] = lambda _: True
) -> list[HistoryEntry]:
    """The last included decisions, newest first.

    Each sentence looks its lesson up, so `is_included` should leave out what is not needed.
    """
    every = documents.decisions(ws.root)
    _, undone = stacks(every)
    taken_back = {decision.id for decision in undone} | {decision.id for decision in every if decision.undone}
    by_id = {decision.id: decision for decision in every}
    docs, held = documents.lessons(ws.root), {decision.id for decision in held_decisions(every)}
    then = _statements_then(every, docs)
    return [
        HistoryEntry(
            id=decision.id, ts=decision.ts, action=decision.action, lesson_ids=list(decision.lesson_ids),
            args=decision.args, by=decision.by, door=decision.door or decision.by,
            terminal=decision.place.terminal if decision.place else "",
            parents=list(decision.place.parents) if decision.place else [],
            claimed=decision.claimed if decision.id in held else "",
            undone=decision.id in taken_back,
            sentence=_step(decision, by_id, docs, then),
        )
        for decision in list(filter(is_included, every[::-1]))[:limit]
    ]  # fmt: skip


def origin(entry: HistoryEntry) -> str:
    """The terminal and the nearest processes above: `pts/3, bash < sshd`; empty where it is not recorded."""
    return ", ".join(filter(None, [entry["terminal"], " < ".join(entry["parents"][:_SHOWN])]))


def remark(entry: HistoryEntry) -> str:
    """Whether a decision is undone, or waits for the person and why."""
    if entry["claimed"]:
        return f" (claimed: {entry['claimed']})"
    return " (undone)" if entry["undone"] else ""


def step_sentence(ws: Workspace, step: Decision) -> str:
    """The sentence of the decision that an undo or redo names; empty where it names none."""
    target = step.args.get("decision")
    return "".join(entry["sentence"] for entry in history(ws, 1, lambda decision: decision.id == target))


def passed_over(ws: Workspace, step: Decision) -> list[str]:
    """The sentences of claimed decisions after the one that an undo took back: they are not undone."""
    every = documents.decisions(ws.root)
    at = next((at for at, each in enumerate(every) if each.id == step.args.get("decision")), len(every))
    docs = documents.lessons(ws.root)
    return [
        sentence(each, docs) for each in every[at:] if each.claimed and each.action not in ("undo", "redo")
    ]


VERBS = {
    "promote": "Kept", "reject": "Dropped", "archive": "Archived", "restore": "Restored",
    "edit": "Edited", "scope": "Moved", "merge": "Merged", "replace": "Replaced", "pause": "Paused",
    "resume": "Resumed", "add": "Added", "undo": "Undid", "redo": "Redid", "keep": "Kept", "rate": "Rated",
    "confirm": "Confirmed", "dismiss": "Dropped",
    "accept": "Accepted a claimed verdict on", "discard": "Discarded a claimed verdict on",
}  # fmt: skip
"""What was done, by the action of its decision."""


def _statements_then(every: Sequence[Decision], docs: _Docs) -> Mapping[str, _Statements]:
    """The statements of lessons as they were once a decision about them was made, by decision."""
    by_id = {decision.id: decision for decision in every}
    in_force: dict[str, dict[str, str]] = {}
    then: dict[str, dict[str, str]] = {}
    for decision in every:
        given = by_id.get(str(decision.args.get("decision", "")), decision)
        words = str(given.args.get("statement") or "")
        for lesson_id in given.lesson_ids:
            doc = docs.get(lesson_id, {})
            drafted = (doc.get(BASE) or {}).get("statement") or doc.get("statement") or ""
            stack = dict(in_force.get(lesson_id, {"": drafted}))
            if decision.action == "undo":
                stack.pop(given.id, None)
            elif words and given.args.get("keep", lesson_id) == lesson_id:
                stack[given.id] = words
            then.setdefault(decision.id, {})[lesson_id] = list(stack.values())[-1]
            if not decision.claimed:
                in_force[lesson_id] = stack
    return then


def _step(
    decision: Decision, by_id: Mapping[str, Decision], docs: _Docs, then: Mapping[str, _Statements]
) -> str:
    """The sentence of a decision; of an undo or redo also that of what it names."""
    target = by_id.get(str(decision.args.get("decision", "")))
    if target is None or decision.action not in ("undo", "redo"):
        return sentence(decision, docs, then.get(decision.id, {}))
    return f"{VERBS[decision.action]}: {_step(target, by_id, docs, then)}"


def sentence(decision: Decision, docs: _Docs, statements: _Statements = MappingProxyType({})) -> str:
    """A decision in words: what was done to which lesson, and the reason where one was given.

    `statements` are those that its lessons had then.
    """
    if decision.action == "promote" and decision.by == STANDING:
        return f"Took in {_named(decision, docs, statements)}, by your standing approval"
    if decision.action == "patch" or decision.args.get("patches"):
        from learnloop.service.patches import patch_history

        return patch_history.sentence(decision)
    args = decision.args
    if decision.action == "facts":
        way, is_off = args.get("mode", "turns"), "off" in (args.get("mode"), args.get("turns") or "off")
        may = "No model reads along" if way == "off" else f"A model may read along ({way})"
        may = "No model judges turns" if way == "turns" and is_off else may
        where = args.get("project", "")
        return f"{may} in {'any project' if where == '*' else where}"
    if decision.action in ("priming", "memory"):
        return _of_memory(decision)
    named = _named(decision, docs, statements)
    if isinstance(args.get("experiment"), dict):
        words = _of_experiment(args["experiment"])
        return words if decision.action == "experiment" else f"{words}: {decision.action} {named}"
    if decision.action in ("merge", "replace"):
        return _of_two(decision, docs, statements)
    if decision.action == "scope":
        where = "everywhere" if args.get("scope") == "global" else args.get("path") or args.get("project", "")
        return f"Set {named} to apply {'' if where == 'everywhere' else 'in '}{where}"
    if decision.action == "add" and decision.args.get("lesson", {}).get("source") == "import":
        return f"Imported {named}"
    if decision.action == "gate":
        return f"{'Gate on' if args.get('on', True) else 'Gate off'} for {named}"
    if decision.action == "rate":
        return f"Rated {named} {args.get('verdict', '')}"
    text = f"{VERBS.get(decision.action, decision.action.capitalize())} {named}{settled(decision)}"
    if decision.action == "edit":
        return f"{text}: {', '.join(args)}"
    return f"{text} ({args['reason']})" if args.get("reason") else text


def _of_two(decision: Decision, docs: _Docs, statements: _Statements) -> str:
    """A decision that lets a lesson take the place of others."""
    keep = str(decision.args.get("keep", ""))
    others = [name for name in decision.lesson_ids if name != keep]
    stays, goes = (
        _named(decision.with_(lesson_ids=tuple(ids)), docs, statements) for ids in ([keep], others)
    )
    return f"Merged {goes} into {stays}" if decision.action == "merge" else f"Replaced {goes} by {stays}"


def settled(decision: Decision) -> str:
    """What a decision settled beside its own: `, and 2 drafts that say the same`; empty where nothing."""
    also = decision.args.get("also")
    parts = [part for part in also.values() if isinstance(part, dict)] if isinstance(also, dict) else []
    names = {"lessons": "draft", "beliefs": "belief", "patches": "proposal"}
    counts = ((sum(len(part.get(key) or ()) for part in parts), name) for key, name in names.items())
    words = [f"{count} {name}{'s' * (count > 1)}" for count, name in counts if count]
    is_one = len(words) == 1 and words[0].startswith("1 ")
    text = f", and {' and '.join(words)} that say{'s' * is_one} the same" if words else ""
    is_wide = decision.action == "promote" and decision.args.get("scope") == "global"
    return f"{text}, for every project" if is_wide else text


_MARKS = {"hide": "Hid", "unhide": "Unhid", "pin": "Pinned", "unpin": "Unpinned"}


def _of_memory(decision: Decision) -> str:
    """A decision about what agents are told of earlier tasks, or about a memory."""
    args = decision.args
    if decision.action == "memory":
        memory = args.get("memory") or {}
        return f"{_MARKS.get(str(args.get('mark')), 'Marked')} the memory “{memory.get('text', '')}”"
    may = "Agents are told earlier tasks" if args.get("on") else "Agents are told no earlier tasks"
    return f"{may} in {args.get('project') or 'all other projects'}"


_STEPS = {
    "start": "Started", "pause": "Paused", "resume": "Resumed", "stop": "Stopped", "promote": "Decided",
}  # fmt: skip


def _of_experiment(given: Mapping[str, Any]) -> str:
    reason = given.get("reason") or given.get("winner") or ""
    words = f"{_STEPS.get(str(given.get('do')), 'Changed')} the experiment “{given.get('name', '')}”"
    return f"{words} ({reason})" if reason else words


def _named(decision: Decision, docs: _Docs, statements: _Statements) -> str:
    belief = decision.args.get("belief")
    if isinstance(belief, dict):
        words = belief.get("statement") or belief.get("subject", "")
        return f"{shown(str(belief.get('id', '')))} “{words}”"
    if decision.action == "trust":
        return str(decision.args.get("project", ""))
    if len(decision.lesson_ids) != 1:
        return f"{len(decision.lesson_ids)} lessons"
    lesson_id = decision.lesson_ids[0]
    doc = docs.get(lesson_id) or decision.args.get("lesson") or {}
    statement = (
        statements.get(lesson_id)
        or doc.get("statement")
        or decision.args.get("statement")
        or doc.get("title")
        or "a lesson"
    )
    return f"{documents.short_in(docs, lesson_id)} “{statement}”"
