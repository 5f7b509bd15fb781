"""A patch in the form of `apply_patch`, as the calls of Write and Edit that it amounts to."""

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from learnloop.wire.payload_fields import Payload

_VERBS = {"*** Add File: ": "Write", "*** Update File: ": "Edit"}
_VERBS |= dict.fromkeys(("*** Delete File: ", "*** Move to: "), "Edit")
_MOST_FILES = 20


def calls(patch: str, cwd: str) -> "list[Payload]":
    """Tool and input of each file of a patch, the first 20; relative names are those of a folder."""
    edits: list[Payload] = []
    for line in patch.split("\n"):
        if line.startswith("*** "):
            verb = next((verb for verb in _VERBS if line.startswith(verb)), "")
            if verb and len(edits) < _MOST_FILES:
                name = _full(line[len(verb) :].strip(), cwd)
                edits.append({"tool": _VERBS[verb], "file": name, "+": [], "-": []})
        elif edits and line[:1] in ("+", "-"):
            edits[-1][line[:1]].append(line[1:])
    return [_call(edit) for edit in edits]


def _call(edit: "Payload") -> "Payload":
    added, removed = "\n".join(edit["+"]), "\n".join(edit["-"])
    words = {"content": added} if edit["tool"] == "Write" else {"old_string": removed, "new_string": added}
    return {"tool_name": edit["tool"], "tool_input": {"file_path": edit["file"], **words}}


def _full(name: str, cwd: str) -> str:
    return name if name.startswith("/") or not cwd else f"{cwd}/{name}"
