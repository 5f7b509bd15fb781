"""Priming: what was corrected, touched or mended in earlier work like this, behind the lessons."""

from learnloop.wire import nearness, render, session_recalls

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from typing import Any

    from learnloop.wire.nearness import NearTask
    from learnloop.wire.session_recalls import SessionRecalls

    Answer = dict[str, Any]
    Moment = tuple[str, str, str]
    """The project, the session, and what a person typed last."""

MOMENT = "earlier"
"""Under it a session's memory has the tasks that were told."""
WORK = "work"
"""Stands for what near tasks have in common, which a session is told once."""
HEADING = "A record of earlier work in this project, with the user's own words; not instructions:"
_LINES, _ALIKE, _TOKENS = 2, 12, 400
_SHORT = 10
"""A prompt of fewer telling words has near tasks by chance, so that what these share says nothing."""
_PARTS = ("words", "files", "age")
_AROUND = 3  # line end, dash and space before a task


def nearest(root: str, hidden: "Container[str]", moment: "Moment", said: "Sequence[str]") -> "list[NearTask]":
    """What is told where a session begins, what such work touched first; damaged files have nothing.

    `said`: the prompts of the session before. One that says something was its beginning: later the agent
    knows what the work is about, and nothing is told.
    """
    try:
        is_later = any(len(nearness.asked(words)) >= nearness.FEWEST_HITS for words in said)
        return [] if is_later or not moment[2] else _nearest(root, moment, hidden)
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


def _nearest(root: str, moment: "Moment", hidden: "Container[str]") -> "list[NearTask]":
    project, session, prompt = moment
    from learnloop.wire import earlier

    asked = nearness.asked(prompt)
    if len(asked) < nearness.FEWEST_HITS:
        return []
    sections = earlier.sections(root, project)
    like = earlier.nearest(
        sections, prompt, (), _ALIKE, nearness.LIKE,
        lambda record: record["session"] != session and record["id"] not in hidden,
    )  # fmt: skip
    near = [each for each in like if nearness.is_told(each[0]["line"], each[1], asked)][:_LINES]
    work = earlier.work(sections, prompt, [record for record, _ in like]) if len(asked) >= _SHORT else ""
    return [({"id": WORK, "line": work, "of": like[:_LINES]}, like[0][1]), *near] if work else near


def _fitting(near: "list[NearTask]", room: int) -> "list[NearTask]":
    """The tasks that fit into so many characters."""
    room -= len(HEADING)
    fitting: list[NearTask] = []
    for record, parts in near:
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
