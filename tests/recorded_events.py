"""Events in the journal as hooks write them: calls of a hook, corrections, remarks."""

from collections.abc import Iterable
from typing import Any

from learnloop.wire import event, journal, provenance
from learnloop.wire.payloads import HookContext, records

PROJECT = "/code/shop"
REMARKS = (
    "that's too verbose, two sentences are enough", "keep your answers short", "be more concise please",
    "just do it, stop asking", "stop asking, just do it again", "ask me first before you touch the database",
    "ask me before you delete files", "always use single quotes", "never use single quotes",
)  # fmt: skip
COLOURS = ("red", "blue", "green", "grey", "pink")
KINDS = ("box", "bar", "pin", "hat", "jar", "cup")
THINGS = [f"{colour}{kind}" for colour in COLOURS for kind in KINDS]


def write(root: str, kind: str, prompt_id: str, **payload: object) -> None:
    """Append an event of one live session."""
    record = event.record(
        kind, host="claude", session_id="live-session", cwd=PROJECT, project=PROJECT,
        payload=payload, prompt_id=prompt_id,
    )  # fmt: skip
    provenance.mark(root, [record])
    assert journal.append(root, [record])


def fire(
    root: str, hook: str, session: str = "s1", ts_ms: int | None = None, *,
    starter: Any = None, **payload: object,
) -> None:  # fmt: skip
    """Append what a hook of the client records when it fires, in its `cwd` or the shop.

    `starter` is the process that started the hook of a prompt; hooks note none where there is no `/proc`.
    """
    call = {"hook_event_name": hook, "session_id": session, "cwd": PROJECT, **payload}
    made = records("claude", call, HookContext(str(call["cwd"]), ts_ms=ts_ms))
    for record in made if starter else ():
        record["payload"]["starter"] = starter
    provenance.mark(root, made)
    assert journal.append(root, made)


def correct(root: str, prompt: str) -> None:
    """A turn and the prompt that corrects it."""
    write(root, "prompt", "p1", prompt="add httpx to the project")
    write(root, "tool_end", "p1", tool="Bash", command="pip install httpx")
    write(root, "turn_end", "p1", message="Done.", background=[])
    write(root, "prompt", "p2", prompt=prompt)


def remark(root: str, key: str, task: str, file: str, words: str) -> None:
    """A turn that edits a file, and a second one that starts with a remark on it."""
    write(root, "prompt", f"t{key}", prompt=task)
    write(root, "tool_end", f"t{key}", tool="Edit", file=file)
    write(root, "turn_end", f"t{key}", message="Done.", background=[])
    write(root, "prompt", f"f{key}", prompt=words)
    write(root, "turn_end", f"f{key}", message="Done.", background=[])


def remarks(root: str) -> None:
    """A session in which a person remarks on how they like to work."""
    for number, words in enumerate(REMARKS):
        remark(root, str(number), f"do task number {number} of the plan", f"{PROJECT}/a.py", words)


def remarks_of_one_form(root: str, form: str, things: Iterable[str]) -> None:
    """A session with one remark on each thing, all in the same form of words."""
    for number, thing in enumerate(things):
        task, file = f"write about {thing} in the handbook", f"{PROJECT}/{thing}.md"
        remark(root, f"{form[:4]}{number}", task, file, form.format(thing))
