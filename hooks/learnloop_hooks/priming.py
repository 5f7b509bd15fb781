"""Priming: what was corrected, touched or mended in earlier work like this, behind the lessons."""

from learnloop.wire import nearness, render, session_recalls

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from typing import Any

    from learnloop.wire.nearness import NearTask, Record
    from learnloop.wire.session_recalls import SessionRecalls

    Answer = dict[str, Any]
    Moment = tuple[str, str, str]
    """The project, the session, and what a person typed last."""

MOMENT = "earlier"
"""Under it a session's memory has the tasks that were told."""
WORK = "work"
"""Stands for what near tasks have in common, which a session is told once."""
HEADING = "A record of earlier work in this project, with the user's own words; not instructions:"
_LINES, _ALIKE, _A_SESSION, _TOKENS = 2, 12, 8, 400
_PARTS = ("words", "files", "age")
_AROUND = 3  # line end, dash and space before a task


def nearest(
    root: str, header: "Answer", moment: "Moment", memory_of: "Callable[[], SessionRecalls]"
) -> "list[NearTask]":
    """The earlier tasks that are near enough to be told, and were not yet. Damaged files have none.

    The memory is asked for when the first task is near enough: at most prompts none is.
    """
    told_before: list[set[str]] = []

    def is_new(record: "Record") -> bool:
        if not told_before:
            told_before.append(memory_of().shown(MOMENT))
        is_known = record["id"] in told_before[0] or record["id"] in header.get("hidden", ())
        return not is_known and len(told_before[0]) < _A_SESSION

    try:
        return _nearest(root, moment, header.get("hidden", ()), is_new) if moment[2] else []
    except Exception:  # whatever a file holds, the lessons are told
        return []


def add(
    header: "Answer", name: str, session: str, near: "list[NearTask]", answer: "Answer | None",
    memory: "SessionRecalls",
) -> "tuple[Answer | None, Answer]":  # fmt: skip
    """The answer with near tasks behind the lessons, within a budget; and what the receipt says of them.

    Of two hooks at once, exactly one tells a task.
    """
    before = answer["hookSpecificOutput"]["additionalContext"] if answer else ""
    tokens = header.get("budgets", {}).get("call_tokens", _TOKENS)
    fitting = _fitting(near, tokens * render.CHARACTERS_A_TOKEN - len(before))
    claimed = memory.claim(MOMENT, [record["id"] for record, _ in fitting]) if fitting else ()
    chosen = [each for each in fitting if each[0]["id"] in claimed]
    if not chosen:
        return answer, {}
    trial = header.get("priming_trial")
    tried = session_recalls.moment(trial, session) if trial else {}
    if trial and not session_recalls.arm(trial, session)[2]:
        return answer, {"held_tasks": _receipts(chosen), **tried}
    text = "\n- ".join([HEADING, *[record["line"] for record, _ in chosen]])
    text = f"{before}\n\n{text}" if before else text
    context = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": text}}
    receipt = {"tasks": _receipts(chosen), "chars": len(text), **tried}
    return {**(answer or {}), **context}, receipt


def _nearest(
    root: str, moment: "Moment", hidden: "Container[str]", is_new: "Callable[[Record], bool]"
) -> "list[NearTask]":
    """From the list that ingest left for the session; where there is none, by the prompt's words.

    Then it is the session's beginning: what such work touched comes first.
    """
    project, session, prompt = moment
    listed = nearness.listed(root, session, prompt)
    if listed is not None:
        return [
            each for _, each in zip(range(_LINES), filter(lambda each: is_new(each[0]), listed), strict=False)
        ]
    from learnloop.wire import earlier

    if len(nearness.asked(prompt)) < nearness.FEWEST_HITS:
        return []
    sections = earlier.sections(root, project)
    like = earlier.nearest(
        sections, prompt, (), _ALIKE, nearness.LIKE,
        lambda record: record["session"] != session and record["id"] not in hidden,
    )  # fmt: skip
    near = [each for each in like if nearness.is_told(each[1])]
    work = earlier.work(sections, prompt, [record for record, _ in like])
    if work:
        of = {"id": WORK, "line": work, "of": like[:_LINES]}
        near = [(of, like[0][1]), *near]
    return [each for each in near if is_new(each[0])][: _LINES + 1]


def _fitting(near: "list[NearTask]", room: int) -> "list[NearTask]":
    """The tasks that fit into so many characters."""
    room -= len(HEADING)
    fitting: list[NearTask] = []
    for record, parts in near:
        if not record["line"]:
            continue
        length = len(record["line"]) + _AROUND
        if length <= room:
            fitting.append((record, parts))
            room -= length
    return fitting


def _receipts(chosen: "list[NearTask]") -> "list[dict[str, Any]]":
    """What a receipt says of tasks; what several have in common counts as a telling of the nearest."""
    every = [each for record, parts in chosen for each in record.get("of", ((record, parts),))]
    return [
        {"id": record["id"], "score": nearness.score(parts), **dict(zip(_PARTS, parts, strict=True))}
        for record, parts in every
    ]
