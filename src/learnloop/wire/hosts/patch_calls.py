"""A patch in the form of `apply_patch`, as the calls of Write and Edit that it amounts to."""

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from learnloop.wire.payload_fields import Payload

_VERBS = ("Add File: ", "Update File: ", "Delete File: ", "Move to: ")
_MOST_FILES = 20


def calls(patch: str, cwd: str) -> "list[Payload]":
    """Tool and input of each file of a patch, the first 20; relative names are those of a folder."""
    parts = [part for part in f"\n{patch}".split("\n*** ")[1:] if part.startswith(_VERBS)]
    return [_call(part, cwd) for part in parts[:_MOST_FILES]]


def _call(part: str, cwd: str) -> "Payload":
    head, _, body = part.partition("\n")
    name = head.partition(": ")[2].strip()
    lines = body.split("\n")
    added = "\n".join([line[1:] for line in lines if line[:1] == "+"])
    given = {"file_path": name if name.startswith("/") or not cwd else f"{cwd}/{name}"}
    if head.startswith("Add"):
        return {"tool_name": "Write", "tool_input": {**given, "content": added}}
    removed = "\n".join([line[1:] for line in lines if line[:1] == "-"])
    return {"tool_name": "Edit", "tool_input": {**given, "old_string": removed, "new_string": added}}
