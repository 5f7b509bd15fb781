"""A patch in the form of `apply_patch`, as the calls of Write and Edit that it amounts to."""

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from learnloop.wire.payload_fields import Payload

_VERBS = {"*** Add File: ": "Write", "*** Update File: ": "Edit", "*** Delete File: ": "Edit"}
_MOVE = "*** Move to: "
_MOST_FILES = 20


def calls(patch: str, cwd: str) -> "list[Payload]":
    """Tool and input of each file of a patch, the first 20; relative names are those of a folder."""
    edits: list[Payload] = []
    for line in patch.split("\n"):
        verb = next((verb for verb in _VERBS if line.startswith(verb)), _MOVE)
        if line.startswith(verb) and len(edits) < _MOST_FILES:
            edits.append(
                {"tool": _VERBS.get(verb, "Edit"), "file": _full(line[len(verb) :], cwd), "+": [], "-": []}
            )
        elif edits and line[:1] in "+-":
            edits[-1][line[:1] or "+"].append(line[1:])
    return [_call(edit) for edit in edits]


def _call(edit: "Payload") -> "Payload":
    added, removed = "\n".join(edit["+"]), "\n".join(edit["-"])
    words = {"content": added} if edit["tool"] == "Write" else {"old_string": removed, "new_string": added}
    return {"tool_name": edit["tool"], "tool_input": {"file_path": edit["file"], **words}}


def _full(name: str, cwd: str) -> str:
    return name.strip() if name.startswith("/") or not cwd else f"{cwd}/{name.strip()}"
