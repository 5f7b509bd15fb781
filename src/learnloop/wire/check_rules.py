"""What a call does, and which checks of lessons it breaks, settles or opens; `re` only where one names it.

A rule of a check is data: `{form, act, then, since, passing, turn, stops}`. `act` and `then` are lists of
events, of which one has to happen:

    never    an act                  before   an act there was a `then`
    due      after an act a `then`   after    an act never a `then`

An event is `{on, …}`: what happens (`command`, `write`, `read`, `tool`, `say`) and what has to be so of it. A
literal text that begins or ends with a letter is no part of a longer name. One that begins with `re:` is a
regular expression, tried on each line, and one that names `\\n` on the beginning of the whole text; it was
found to be cheap when the check was saved.
"""

import posix

from learnloop.wire import globs, payload_fields, regular, relevance, search

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias

    from learnloop.wire.check_memory import Done
    from learnloop.wire.index import Index
    from learnloop.wire.payload_fields import Payload
    from learnloop.wire.relevance import Moment, Record

    Event: TypeAlias = dict[str, Any]
    Rule: TypeAlias = dict[str, Any]
    Broken: TypeAlias = tuple[Record, str, Rule, str]
    """A lesson, the name of its rule, the rule, and what was found."""

KEY = "S"
ANY_COMMAND, WRITING, ENDING = "*", "/", "!"
"""Under these stand lessons that no program, and no name of a file, leads to; those that an end looks at."""
_READING = ("Read", "Grep", "Glob")
_EDITING = ("Write", "Edit", "MultiEdit", "NotebookEdit")
_READERS = frozenset((
    "cat", "less", "more", "head", "tail", "bat", "grep", "rg", "egrep", "sed", "awk", "source", ".", "nl",
    "strings", "xxd", "cp", "diff",
))  # fmt: skip
_SEARCHING = ("grep", "egrep", "rg", "sed", "awk")
_ECHOING = ("echo", "printf", "cat", "tee", "sed")
_FILES = 200
_MOVES = ("cd", "pushd", "popd")
_SCRATCH = ("/dev/", "/tmp/", "/var/tmp/", "/private/tmp/", "/proc/", "&")
_COMPLETED = "$~*?{"
_FOUND = 120
EXPRESSION = "re:"
_PROSE = (".md", ".mdx", ".txt", ".rst", ".adoc")
_TESTS = ("test", "tests", "__tests__", "spec", "testdata", "fixtures")
_COMMENTS = ("#", "//", "/*", "*", "<!--", "--", '"""', "'''")
_codes: "dict[str, list[Any]]" = {}
"""The code of expressions by their text, of the lessons that were read: [version, flags, groups, code]."""
_ready: "dict[str, Any]" = {}
_LINE, _LINES, _WHOLE, _OLD = 500, 20_000, 4_000, 1 << 18


class Act:
    """One thing that a call does."""

    def __init__(self, on: str, hit: str = "") -> None:
        self.on = on
        self.hit = hit
        """How a person is told of it."""
        self.forms: list[str] = []
        """Of a command: how patterns may name it. Without any it is the whole line."""
        self.words: list[str] = []
        self.folder: globs.Spot = (None, [])
        self.where: globs.Spot = (None, [])
        self.is_placed = True
        """Whether a file is certainly where its name says."""
        self.is_live = False
        self.is_fresh = True
        """Whether a file may be new: it is not moved away, removed or edited."""
        self.text = self.removed = ""
        """What is added, and what is taken out; of a command the line that it stands in."""


class Call:
    """The acts of a call, made ready to be compared with what checks are about."""

    def __init__(
        self, moment: "Moment", payload: "Payload", *, is_live: bool = False, message: str = ""
    ) -> None:
        """`is_live`: it is about to run, so files are as before it. `said` is the last message of a turn."""
        tool = moment.tool or payload_fields.tool_name(payload)
        self._bases = tuple([base for base in (moment.project, moment.cwd) if base])
        self._has_project, self._is_live = bool(moment.project), is_live
        self.acts: list[Act] = []
        if message:
            self._add("say", message)
        if message or not tool:
            return
        if tool == "Bash":
            self._read_line(payload_fields.tool_command(payload))
            return
        if file := tool in _EDITING and payload_fields.tool_file(payload):
            self.acts.append(written := self._file("write", file))
            written.where = moment.file or written.where
            written.text, written.removed = _changed(payload)
            written.is_fresh = not written.removed
            return
        if file := tool in _READING and payload_fields.input_text(payload, "file_path", "path"):
            self.acts.append(self._file("read", file))
        self._add("tool", payload_fields.tool_words(payload), tool)

    def names(self) -> "list[str]":
        """What lessons that the call may be about stand under."""
        names: dict[str, None] = {}
        for act in self.acts:
            if act.on == "command":
                names |= dict.fromkeys((ANY_COMMAND, *[form.partition(" ")[0] for form in act.forms]))
            elif act.on == "write":
                names |= dict.fromkeys((WRITING, *[key for name in act.where[1] for key in _keys(name)]))
            else:
                names[f"?{act.on}"] = None
        return list(names)

    def _add(self, on: str, text: str, hit: str = "") -> Act:
        self.acts.append(act := Act(on, hit))
        act.text = text
        return act

    def _file(self, on: str, name: str) -> Act:
        act = Act(on, name)
        act.where, act.is_live = globs.spot(name, self._bases), self._is_live
        act.is_placed = act.where[0] is not None or not name.startswith(_SCRATCH)
        return act

    def _read_line(self, line: str) -> None:
        from learnloop.wire import shell, simple_command

        commands, written, removed = shell.read(line)
        moves, base, folder = 0, "", self._bases[-1] if self._bases else ""
        self._add("command", line, line)
        for forms in commands:
            plain = forms[0].replace(simple_command.BLANK, " ")
            act = self._add("command", plain, plain)
            act.removed = line
            act.forms, act.folder = forms, globs.spot(folder, self._bases)
            act.words = [word.replace(simple_command.BLANK, " ") for word in forms[0].split(" ")]
            if act.words[0] in _MOVES:
                moves, to = moves + 1, act.words[1] if len(act.words) > 1 else ""
                folder = to if to[:1] == "/" else f"{folder}/{to}"
            elif act.words[0] in _READERS:
                operands = [word for word in act.words[1:] if word[:1] != "-"][:_FILES]
                operands = operands[act.words[0] in _SEARCHING :]  # of these the first is no file
                self.acts += [self._file("read", name) for name in operands]
        is_said = any(act.words and act.words[0] in _ECHOING for act in self.acts)
        if moves == 1 and commands[0][0].partition(" ")[0] in _MOVES:  # all that follows is in there
            base, moves = f"{folder}/", 0
        for name in (*written[:_FILES], *removed[:_FILES]):
            self.acts.append(act := self._file("write", name if name[:1] in "/~$" else f"{base}{name}"))
            act.is_fresh = name not in removed
            act.is_placed = (
                self._has_project and not (moves and name[:1] != "/")
                and not name.startswith(_SCRATCH) and not any(sign in name for sign in _COMPLETED)
            )  # fmt: skip
            act.text = line if is_said else ""


def fits(events: "Iterable[Event]", act: Act) -> str:
    """What of an act one of the events means; "" where none does."""
    for event in events:
        if event["on"] == act.on and (hit := _FITS[act.on](event, act)):
            return hit[:_FOUND]
    return ""


def _is_command(event: "Event", act: Act) -> str:
    patterns = event.get("runs", ())
    if not act.forms:
        is_whole = any(globs.has_operator(name) and globs.runs(name, [], act.text) for name in patterns)
        return act.hit if is_whole else ""
    plain = [name for name in patterns if not globs.has_operator(name)]
    folders, has, lines = event.get("folder", ()), event.get("has", ()), event.get("line", ())
    is_meant = (
        (not patterns or any(globs.runs(name, act.forms, "") for name in plain))
        and not any(globs.runs(name, act.forms, "") for name in event.get("unless", ()))
        and (not has or any(_has(act.words, option) for option in has))
        and not any(_has(act.words, option) for option in event.get("lacks", ()))
        and (not folders or any(_is_in(name, act.folder) for name in folders))
        and (not lines or any(finds(text, _unmasked(act.removed, event.get("skip", ()))) for text in lines))
    )
    return act.hit if is_meant and _is_meant(event, act) else ""


def _is_in(pattern: str, folder: globs.Spot) -> bool:
    """Whether a pattern means a working folder; with `!` before it, every other one."""
    return globs.covers(pattern.removeprefix("!"), folder) is (pattern[:1] != "!")


def _has(words: "list[str]", option: str) -> bool:
    """Whether a command has an option (`--no-verify`, `-n`), one with a value (`-n a*`), or an operand."""
    name, _, value = option.partition(" ")
    for at, word in enumerate(words[1:], 1):
        is_bundle = name[:1] == "-" and len(name) == 2 and word[:1] == "-" and word[1:2] not in ("-", "")
        own, _, joined = word.partition("=")
        if globs.like(name, own if joined else word) or (is_bundle and len(word) < 6 and name[1] in word):
            given = joined or (words[at + 1] if at + 1 < len(words) else "")
            if not value or globs.like(value, given):
                return True
        elif not value and globs.like(name, word):
            return True
    return False


def _is_file(event: "Event", act: Act) -> str:
    where, files = act.where, event.get("files", ())
    name = where[1][-1] if where[1] else ""
    named, unlike = event.get("named"), event.get("unlike")
    is_meant = (
        (not files or any(_covers(pattern, act) for pattern in files))
        and not any(globs.covers(pattern, where) for pattern in event.get("unless", ()))
        and not (event.get("fresh") and not (act.is_fresh and not (act.is_live and _exists(where[1]))))
        and not _is_masked(event, where[1])
        and (not named or finds(named, name))
        and not (unlike and finds(unlike, name))
    )
    return _is_meant(event, act) if is_meant else ""


def _covers(pattern: str, act: Act) -> bool:
    """Whether a pattern means a file; with `!` before it, one that is certainly elsewhere."""
    if pattern[:1] == "!":
        return act.is_placed and not globs.covers(pattern[1:], act.where)
    is_near = act.on == "read" or act.where[0] is not None or pattern[:1] == "/"
    return is_near and globs.covers(pattern, act.where)


def _exists(segments: "list[str]") -> bool:
    try:
        posix.stat("/" + "/".join(segments))
    except (OSError, ValueError):
        return False
    return True


def _is_tool(event: "Event", act: Act) -> str:
    names = event.get("runs", ())
    is_named = not names or any(globs.like(name, act.hit) for name in names)
    return act.hit if is_named and _is_meant(event, act) else ""


def _keys(name: str) -> "tuple[str, str]":
    return f"/{name}", f".{name.rpartition('.')[2]}"


def name_of(pattern: str) -> str:
    """A name that every file has which a pattern covers: the one of its folder, or its ending."""
    for segment in reversed(globs.parse(pattern)):
        if globs.is_plain(segment):
            return f"/{segment}"
        if segment[:2] == "*." and globs.is_plain(segment[2:]):
            return f".{segment.rpartition('.')[2]}"
    return WRITING


def posted(index: "Index", moment: "Moment", names: "Iterable[str]") -> "Iterator[Record]":
    """The lessons with checks that stand under names and hold here, each once."""
    keys = [search.target_key(KEY, name) for name in names]
    for section in search.sections(index, moment.project):
        for number in sorted({number for key in keys for number in section.postings(key)}):
            record = section.record(number)
            if "checks" in record and not relevance.elsewhere(record, moment):
                _codes.update(record.get("codes", ()))
                yield record


def broken(records: "Iterable[Record]", call: Call, memory: "Done") -> "Iterator[Broken]":
    """The lessons that a call breaks, each once, with the rule and what was found."""
    for record in records:
        for number, rule in enumerate(record["checks"]):
            key = f"{record['id']}.{number}"
            hit = rule["form"] != "due" and _breach(rule, call.acts, memory, key)
            if hit:
                yield record, key, rule, hit
                break


def _breach(rule: "Rule", acts: "list[Act]", memory: "Done", key: str) -> str:
    """What breaks a rule; acts of one call come in their order."""
    form, done = rule["form"], False
    is_chained = bool(acts) and "&&" in acts[0].text
    for act in acts:
        if form == "never":
            hit = fits(rule["act"], act)
        elif form == "before":
            done = done or (bool(fits(rule["then"], act)) and (is_chained or not rule.get("passing")))
            hit = "" if done or memory.is_set(key) else fits(rule["act"], act)
        else:
            hit = fits(rule["then"], act) if done or memory.is_set(key) else ""
            done = done or bool(fits(rule["act"], act))
        if hit:
            return hit
    return ""


def breaks(rules: "Iterable[Rule]", acts: "list[Act]") -> str:
    """What of acts alone, without what was before them, breaks a rule that forbids; "" where nothing does."""
    never = (rule["act"] for rule in rules if rule["form"] == "never")
    return next((hit for events in never for act in acts if (hit := fits(events, act))), "")


def side(rule: "Rule", acts: "list[Act]") -> str:
    """What acts do to something due: open it, or settle it by a `file` or a `command`; else ""."""
    for on in ("command", "tool", "write", "read", "say"):
        if any(act.on == on and fits(rule["then"], act) for act in acts):
            return "file" if on == "write" else "command"
    return "opens" if any(fits(rule["act"], act) for act in acts) else ""


def note(records: "Iterable[Record]", call: Call, memory: "Done", *, passed: bool | None) -> None:
    """Remember what a call did for rules of order and of what is due.

    `passed` is None before it runs, and afterwards whether it ended well: what has to have passed, and what
    is told of afterwards alone, counts then.
    """
    is_late = any(act.on in ("tool", "read") for act in call.acts)
    for record in records:
        for number, rule in enumerate(record["checks"]):
            counts = passed if rule.get("passing") else (passed is None or is_late)
            key = f"{record['id']}.{number}{'~' if rule.get('turn') else ''}"
            if rule["form"] == "due":
                does = side(rule, call.acts)
                if does == "opens" and passed is None:
                    memory.open(key)
                elif does in ("file", "command") and counts:
                    memory.settle(key, ahead=does == "file")
            elif rule["form"] != "never":
                _note_order(rule, call.acts, memory, key, counts=bool(counts), is_before=passed is None)


def _note_order(
    rule: "Rule", acts: "list[Act]", memory: "Done", key: str, *, counts: bool, is_before: bool
) -> None:
    """The act that has to come first was done, or what makes it count no more."""
    awaited, since = rule["then"] if rule["form"] == "before" else rule["act"], rule.get("since")
    for act in acts:
        is_commit = since == "commit" and globs.runs("git commit", act.forms, "")
        if counts and fits(awaited, act):
            memory.mark(key)
        elif is_before and (is_commit or (since == "edit" and act.on == "write")):
            memory.clear(key)


def _changed(payload: "Payload") -> "tuple[str, str]":
    """What an edit writes, and what it replaces."""
    given = payload.get("tool_input")
    edits = given.get("edits") if isinstance(given, dict) else None
    if isinstance(edits, list):
        parts = [edit for edit in edits if isinstance(edit, dict)]
        new, old = ([str(part.get(name) or "") for part in parts] for name in ("new_string", "old_string"))
        return "\n".join(new), "\n".join(old)
    new_text = payload_fields.input_text(payload, "content", "new_string", "new_source")
    return new_text, payload_fields.input_text(payload, "old_string")


def _is_masked(event: "Event", segments: "list[str]") -> bool:
    """Whether a file is of a kind that an event leaves out: `tests` or `docs`."""
    skip = event.get("skip", ())
    name = segments[-1].lower() if segments else ""
    if "docs" in skip and name.endswith(_PROSE):
        return True
    stem = name.partition(".")
    is_test = stem[0].startswith("test_") or stem[0].endswith(("_test", "_spec"))
    is_test = is_test or ".test." in name or ".spec." in name or not set(_TESTS).isdisjoint(segments)
    return "tests" in skip and is_test


def _is_meant(event: "Event", act: Act) -> str:
    """What of an act's text an event is about, where it names any; else what the act is."""
    texts, without, gone, also = (event.get(name, ()) for name in ("text", "without", "gone", "also"))
    longest = event.get("longest")
    if not (texts or without or gone or also or longest):
        return act.hit or act.text
    skip = event.get("skip", ())
    new = _unmasked(act.text, skip)
    if longest and len(new.splitlines()) <= longest:
        return ""
    if any(finds(text, new) for text in without) or (without and not texts and not gone and not new.strip()):
        return ""
    if (gone and not any(_added(text, _before(act, skip), new) for text in gone)) or (
        also and not any(finds(text, new) for text in also)
    ):
        return ""
    for text in texts:
        added = finds(text, new) and _added(text, new, _before(act, skip), event)
        if added and len(added) >= event.get("times", 1):
            hit = finds(text, added[0]) or added[0]
            return f"{hit} in {act.hit}" if act.on == "write" else hit
    return "" if texts else act.hit or act.text


def _added(text: str, new: str, old: str, event: "Event | None" = None) -> "list[str]":
    """Where a text stands more often than before; what an expression matches is compared by what it is."""
    left = dict[str, int]()
    for place in _found(text, old, event) if old else ():
        name = place if text[:3] == EXPRESSION else text
        left[name] = left.get(name, 0) + 1
    added = []
    for place in _found(text, new, event):
        name = place if text[:3] == EXPRESSION else text
        left[name] = left.get(name, 0) - 1
        if left[name] < 0:
            added.append(place)
    return added


def _before(act: Act, skip: "list[str]") -> str:
    """What an edit takes out, or what stands already in the file that a call writes anew."""
    if act.on != "write" or act.removed or not act.is_live:
        return _unmasked(act.removed, skip) if act.on == "write" else ""
    try:
        data = regular.foreign("/" + "/".join(act.where[1]), lambda path: regular.read(path, _OLD))
    except (OSError, ValueError):
        return ""
    return _unmasked(data.decode("utf-8", "replace"), skip)


def finds(text: str, where: str) -> str:
    """What of a text matches: the literal, or what an expression matches; "" where nothing does."""
    places = _found(text, where)
    return ((text[:3] == EXPRESSION and places[0].strip()) or text) if places else ""


def _found(text: str, where: str, event: "Event | None" = None) -> "list[str]":
    """Where a text stands: the matches, or of a literal the rest of its line; not what `but` excepts."""
    places = (_matches if text[:3] == EXPRESSION else _literal)(text, where) if where else []
    excepted = event.get("but", ()) if event else ()
    return [place for place in places if not any(finds(name, place) for name in excepted)]


def _expression(text: str) -> "Any":
    """An expression from the code that the index brings; `re` costs as much as the rest of a hook."""
    if text not in _ready:
        import _sre  # type: ignore[import-not-found]  # what `re` hands its expressions to

        magic, flags, groups, code = _codes.get(text, (0, 0, 0, ()))
        if magic == _sre.MAGIC:
            _ready[text] = _sre.compile(text, flags, code, groups, {}, (None,) * (groups + 1))
        else:
            import re

            _ready[text] = re.compile(text[3:], re.M)
    return _ready[text]


def _matches(text: str, where: str) -> "list[str]":
    expression = _expression(text)
    if "\\n" in text:
        return [match[0] for match in expression.finditer(where[:_WHOLE])]
    lines = where.splitlines()[:_LINES]
    return [match[0] for line in lines for match in expression.finditer(line[:_LINE])]


def _literal(text: str, where: str) -> "list[str]":
    """A literal, not as a part of a longer name, each time with what follows it on its line."""
    places, at = [], where.find(text)
    while at >= 0:
        before, after = where[at - 1 : at], where[at + len(text) : at + len(text) + 1]
        is_part = (text[:1].isalnum() and _in_name(before)) or (text[-1:].isalnum() and _in_name(after))
        if not is_part:
            places.append(where[at : at + _LINE].partition("\n")[0])
        at = where.find(text, at + len(text))
    return places


def _in_name(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _unmasked(text: str, skip: "list[str]") -> str:
    """A text without its comments, fences or quotes, as far as these are left out."""
    if "comments" not in skip and "fences" not in skip and "quotes" not in skip:
        return text
    left, is_fenced = [], False
    for line in text.splitlines():
        bare = line.lstrip()
        is_fence = "fences" in skip and bare.startswith(("```", "~~~"))
        is_fenced = is_fenced is not is_fence
        if is_fence or is_fenced or ("comments" in skip and bare.startswith(_COMMENTS)):
            continue
        if "comments" in skip:
            line = line.partition(" //")[0].partition(" # ")[0]
        left.append(_unquoted(line) if "quotes" in skip else line)
    return "\n".join(left)


def _unquoted(line: str) -> str:
    for quote in ('"', "'", "`"):
        line = "".join(line.split(quote)[::2])
    return line


_FITS: "dict[str, Callable[[Event, Act], str]]" = {
    "command": _is_command, "write": _is_file, "read": _is_file, "tool": _is_tool, "say": _is_meant,
}  # fmt: skip
