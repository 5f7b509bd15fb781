"""Which lessons a call breaks: the ones that stop an unwanted call before it runs.

A command breaks a lesson if one of its simple commands is unwanted in one of its forms and wanted in none; a
file, if it is written and unwanted; code, if the call adds it to a file that is no prose, a mere sign also
to prose.
"""

from learnloop.wire import globs, payload_fields, relevance, search

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from learnloop.wire.index import Index
    from learnloop.wire.payload_fields import Payload
    from learnloop.wire.relevance import Moment, Record

KEY = "S"
ANY_COMMAND, WRITING = "*", "/"
"""Under these stand lessons that no program, and no name of a file, leads to."""
_PROSE = (".md", ".mdx", ".txt", ".rst", ".adoc")
_FILES = 200
_MOVES = ("cd", "pushd", "popd")
_SCRATCH = ("/dev/", "/tmp/", "/var/tmp/", "/private/tmp/", "/proc/", "&")
_COMPLETED = "$~*?{"


def broken(index: "Index", moment: "Moment", call: "CallAtHand") -> "Iterator[Record]":
    """The lessons that hold here and that the call breaks, each once."""
    for record in posted(index, moment, KEY, call.names()):
        if "stop" in record and not relevance.elsewhere(record, moment) and call.breaks(record["stop"]):
            yield record


def posted(index: "Index", moment: "Moment", kind: str, names: "Iterable[str]") -> "Iterator[Record]":
    """The lessons of the project that stand under keys of a kind, each once."""
    keys = [search.target_key(kind, name) for name in names]
    for section in search.sections(index, moment.project):
        for number in sorted({number for key in keys for number in section.postings(key)}):
            yield section.record(number)


class CallAtHand:
    """A call made ready to be compared with what lessons do not want."""

    def __init__(self, moment: "Moment", payload: "Payload") -> None:
        self._tool = moment.tool
        self._payload = payload
        self._line = payload_fields.tool_command(payload) if moment.tool == "Bash" else ""
        self._commands: list[list[str]] = []
        self._written = [moment.file] if moment.file else []
        self._placed = self._written
        """The written files of which it is known where they are."""
        if self._line:
            from learnloop.wire import shell

            self._commands, written = shell.read(self._line)
            bases = tuple(base for base in (moment.project, moment.cwd) if base)
            self._written = [globs.spot(name, bases) for name in written[:_FILES]]
            self._placed = self._with_known_place(written[:_FILES], bool(moment.project))

    def names(self) -> "list[str]":
        """What lessons that may be broken stand under."""
        files = {name for where in self._written for name in _names(where[1])}
        if self._tool in relevance.FILE_TOOLS or files:
            files.add(WRITING)
        programs = {form.partition(" ")[0] for forms in self._commands for form in forms}
        return [ANY_COMMAND, *files, *programs] if programs else [*files]

    def breaks(self, stop: "Record") -> bool:
        """Whether the call is one that these patterns do not want."""
        if self._tool not in relevance.FILE_TOOLS:
            return self._runs(stop) or self._writes(stop["files"])
        return self._writes(stop["files"]) or any(map(self._adds, stop["tokens"]))

    def runs(self, patterns: "list[str]") -> bool:
        """Whether the call runs a command that patterns mean."""
        return bool(self._commands) and self._runs({"commands": patterns, "wanted": ()})

    def changes(self, patterns: "list[str]") -> bool:
        """Whether the call writes a file of the project that patterns mean."""
        return any(
            globs.covers(pattern, where)
            for where in self._written
            for pattern in patterns
            if where[0] is not None or pattern[:1] == "/"
        )

    def _runs(self, stop: "Record") -> bool:
        whole = [pattern for pattern in stop["commands"] if globs.has_operator(pattern)]
        if any(globs.runs(pattern, [], self._line) for pattern in whole):
            return True
        return any(
            any(globs.runs(pattern, forms, "") for pattern in stop["commands"] if pattern not in whole)
            and not any(globs.runs(pattern, forms, "") for pattern in stop["wanted"])
            for forms in self._commands
        )

    def _writes(self, patterns: "list[str]") -> bool:
        """Whether a file is one of those that patterns mean."""
        return any(
            any(not globs.covers(pattern[1:], where) for where in self._placed)
            if pattern[:1] == "!"
            else any(globs.covers(pattern, where) for where in self._written)
            for pattern in patterns
        )

    def _with_known_place(self, written: "list[str]", in_project: bool) -> "list[globs.Spot]":
        """The files that a command certainly writes where their names say, and that are no scratch files.

        After a `cd` a relative name may be anywhere, and so may one that the shell still completes.
        """
        moves = any(form.partition(" ")[0] in _MOVES for forms in self._commands for form in forms)
        return [
            where
            for name, where in zip(written, self._written, strict=True)
            if in_project and not (moves and name[:1] != "/")
            and not name.startswith(_SCRATCH) and not any(sign in name for sign in _COMPLETED)
        ]  # fmt: skip

    def _adds(self, token: str) -> bool:
        """Whether the call writes code that was not there before; prose may speak of it, not use a sign."""
        is_prose = payload_fields.tool_file(self._payload).lower().endswith(_PROSE)
        if is_prose and any(map(str.isalnum, token)):
            return False
        written = payload_fields.input_text(self._payload, "content", "new_string", "new_source")
        if token not in written:
            return False
        replaced = payload_fields.input_text(self._payload, "old_string")
        return _count(token, written) > _count(token, replaced)


def _names(segments: "list[str]") -> "Iterator[str]":
    for name in segments:
        yield f"/{name}"
        yield f".{name.rpartition('.')[2]}"


def name_of(pattern: str) -> str:
    """A name that every file has which a pattern covers: the one of its folder, or its ending."""
    for segment in reversed(globs.parse(pattern)):
        if globs.is_plain(segment):
            return f"/{segment}"
        if segment[:2] == "*." and globs.is_plain(segment[2:]):
            return f".{segment.rpartition('.')[2]}"
    return WRITING


def _count(token: str, text: str) -> int:
    """How often code stands in a text, not as a part of a longer name."""
    count, at = 0, text.find(token)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(token) : at + len(token) + 1]
        is_part = (token[:1].isalnum() and _in_name(before)) or (token[-1:].isalnum() and _in_name(after))
        count += not is_part
        at = text.find(token, at + len(token))
    return count


def _in_name(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
