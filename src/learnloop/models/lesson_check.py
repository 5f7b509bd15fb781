"""The check of a lesson: what an agent's acts have to be like, as data that reads as a sentence."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from learnloop.models.base import Document
from learnloop.wire.check_rules import EXPRESSION

Patterns = tuple[str, ...]
MOST_RULES = 8
_MOST, _LONGEST = 60, 200
_ATOM = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?:|\?i\))?|[^*+?{])([*+?]\??|\{\d*,?\d*\}\??)?")
_UNSAFE = re.compile(r"\(\?(?!:|i\))|\\[1-9]|\)(?:[*+]|\{\d*,)|[*+}][*+]")
_VERBS = {"command": "run", "write": "write", "read": "read", "tool": "call", "say": "say"}
ANY_SOURCE, ANY_TEST = "<source>", "<tests>"
"""Stand for files, and for commands, of every project."""
_SOURCE_ENDINGS = (
    "py pyi js jsx mjs cjs ts tsx mts cts vue svelte astro go rs java kt kts scala groovy clj cljs c h cc cpp"
    " cxx hpp m mm cs fs vb rb php swift dart lua pl pm r jl ex exs erl hs ml elm zig nim sol sql graphql"
    " proto tf sh bash zsh ps1 html css scss sass less"
)
EXPANDED: dict[str, dict[str, tuple[str, ...]]] = {
    "files": {
        ANY_SOURCE: tuple(f"*.{ending}" for ending in _SOURCE_ENDINGS.split()),
    ANY_TEST: (
        "**/tests/**", "**/test/**", "**/__tests__/**", "**/spec/**", "**/test_*", "**/*_test.*",
        "**/*.test.*", "**/*.spec.*", "**/*_spec.*", "**/*Test.*", "**/*Tests.*",
    ),
    },
    "runs": {ANY_TEST: (
        "pytest", "py.test", "unittest", "python* *manage.py test", "tox", "nox", "hatch test",
        "npm test", "npm t", "npm run test*", "pnpm test", "pnpm run test*", "yarn test*", "yarn run test*",
        "bun test", "bun run test*", "deno test", "vitest", "jest", "mocha", "ava", "playwright test",
        "cypress run", "cargo test", "cargo nextest", "go test", "gotestsum", "mix test", "rspec",
        "rails test", "rake test", "rake spec", "phpunit", "pest", "artisan test", "composer test",
        "gradle *test*", "gradlew *test*", "mvn *test*", "mvn *verify*", "mvnw *test*", "dotnet test",
        "swift test", "ctest", "bazel test", "make *test*", "make *check*", "just *test*", "task *test*",
        "flutter test", "dart test", "sbt test", "zig build test",
    )},
}  # fmt: skip
_SYMBOLS = {ANY_SOURCE: "any source file", ANY_TEST: "tests"}
_ANY = {"command": "a command", "write": "a file", "read": "a file", "tool": "a tool", "say": "anything"}


def expression_fault(pattern: str) -> str:
    """Why a regular expression is not tried on what agents write; "" where it costs little on any line.

    It must have no look-around, no reference back and no repeated group, and at most two repeats that
    overlap with what follows them, or one that goes over lines.
    """
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is no regular expression ({error})"
    if _UNSAFE.search(_ATOM.sub(_bare, pattern)):
        return "may take long: no look-around, no reference back, no repeated group"
    atoms = [(match[1], match[2] or "") for match in _ATOM.finditer(pattern)]
    loose, depth, most = 0, 0, 0
    for at, (atom, repeat) in enumerate(atoms):
        depth += (atom[:1] == "(") - (atom == ")")
        if _is_unbounded(repeat) and (at + 1 == len(atoms) or _overlap(atom, atoms[at + 1][0])):
            loose += 2 if "\\n" in pattern and re.fullmatch(atom, "\n") else 1
        most, loose = max(most, loose), 0 if atom == "|" and not depth else loose
    return "may take long: too many repeats that overlap" if most > 2 else ""


def _bare(atom: re.Match[str]) -> str:
    """A piece of an expression without what it only names."""
    is_sign = atom[1][0] == "[" or (atom[1][0] == "\\" and not atom[1][1:].isdigit())
    return f"{'x' if is_sign else atom[1]}{atom[2] or ''}"


def _is_unbounded(repeat: str) -> bool:
    return repeat[:1] in ("*", "+") or ",}" in repeat


def _overlap(atom: str, following: str) -> bool:
    """Whether one sign may be taken by both."""
    if following[:1] in "()|^$" or atom[:1] in "()|^$":
        return True
    signs = map(chr, (9, 10, *range(32, 127)))
    return any(re.fullmatch(atom, sign) and re.fullmatch(following, sign) for sign in signs)


class _Said(Document):
    """A part of a check: what it does not say is not stored."""

    @model_serializer(mode="wrap")
    def _short(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return {name: value for name, value in handler(self).items() if value}


class CheckEvent(_Said):
    """Something that an agent does, and what has to be so of it; of several patterns one is enough."""

    on: Literal["command", "write", "read", "tool", "say"]
    runs: Patterns = ()
    """Of a command, as in `learn edit --command-pattern`; of a tool its name."""
    has: Patterns = ()
    """An option (`--force`, `-n`), one with its value (`--reporter html`), or an operand."""
    lacks: Patterns = ()
    line: Patterns = ()
    """In the whole line as it is typed, quotes, operators and assignments with it."""
    folder: Patterns = ()
    """In which a command runs."""
    files: Patterns = ()
    """Of a file; with `!` before it, as before a folder, every other one."""
    fresh: bool = False
    named: str = ""
    """The name of the file has to match this, with `re:` before an expression."""
    unlike: str = ""
    unless: Patterns = ()
    """Not for these files or commands."""
    text: Patterns = ()
    """In what is added; with `re:` before it, an expression for a line, or with `\\n` in it for all."""
    but: Patterns = ()
    """Not where what was found, with a literal the rest of its line, holds one of these."""
    times: int = Field(default=0, ge=0, le=1000)
    """So often at least one of the texts is added."""
    also: Patterns = ()
    """One of these is in what is added as well."""
    without: Patterns = ()
    """None of these is in what is added."""
    gone: Patterns = ()
    longest: int = Field(default=0, ge=0)
    """More than so many lines are added."""
    skip: tuple[Literal["comments", "fences", "quotes", "tests", "docs"], ...] = ()

    @model_validator(mode="after")
    def _is_bounded(self) -> Self:
        if len(self.patterns) > _MOST or any(not 0 < len(name) <= _LONGEST for name in self.patterns):
            raise ValueError(f"an event has at most {_MOST} patterns of at most {_LONGEST} characters")
        for text in self.patterns:
            if text.startswith(EXPRESSION) and (fault := expression_fault(text[len(EXPRESSION) :])):
                raise ValueError(f"`{text}` {fault}")
        return self

    @property
    def patterns(self) -> Patterns:
        """All patterns, whatever they are compared with."""
        lists = (value for value in self.__dict__.values() if isinstance(value, tuple))
        return (*(name for value in lists for name in value), *filter(None, (self.named, self.unlike)))

    @property
    def is_any(self) -> bool:
        """Whether it is every act of its kind."""
        given = self.model_dump(exclude={"on", "skip", "unless"})
        return not given or all(
            set("".join(names)) <= set("*/") for names in given.values() if not isinstance(names, int)
        )

    @property
    def what(self) -> str:
        """What it is about as a person reads it: "`npm i` with --save", "a new docs/*.md with `foo`"."""
        name = _or(self.runs, "`{}`") or _or(self.files, "{}").replace("!", "anything but ")
        parts = (
            f"a new {name or 'file'}" if self.fresh else name or _ANY[self.on],
            f" named like {_shown(self.named)}" if self.named else "",
            f" not named like {_shown(self.unlike)}" if self.unlike else "",
            f" with {_or(self.has)}" if self.has else "",
            f" without {_or(self.lacks)}" if self.lacks else "",
            f" in {_or(self.folder)}".replace("!", "any folder but ") if self.folder else "",
            f" in a line with {_or(self.line, '`{}`')}" if self.line else "",
            f" {'that adds' if self.on == 'write' else 'with'} {_or(self.text, '`{}`')}" if self.text else "",
            f" {self.times} times" if self.times > 1 else "",
            f" (not {_or(self.but, '`{}`')})" if self.but else "",
            f" and {_or(self.also, '`{}`')}" if self.also else "",
            f" without {_or(self.without, '`{}`')}" if self.without else "",
            f" that takes out {_or(self.gone, '`{}`')}" if self.gone else "",
            f" of more than {self.longest} lines" if self.longest else "",
            f", except {_or(self.unless)}" if self.unless else "",
            f", {_or(self.skip, last=' and ')} left out" if self.skip else "",
        )
        return "".join(parts)

    @property
    def words(self) -> str:
        """The same as an act: "run `npm i`"."""
        return f"{_VERBS[self.on]} {self.what}"


def _shown(text: str) -> str:
    return _SYMBOLS.get(text, text).removeprefix(EXPRESSION).removeprefix("**/")


def _or(names: Sequence[str], form: str = "{}", last: str = " or ") -> str:
    shown = [form.format(_shown(name)) for name in names[:4]]
    shown += [f"{len(names) - 4} more"] if len(names) > 4 else []
    return last.join(filter(None, (", ".join(shown[:-1]), shown[-1] if shown else "")))


def of_due_moment(due: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The rule of what a lesson of an earlier version makes due: `after` files, `files` or `commands`."""
    then = [
        {"on": on, name: list(due[side])}
        for side, on, name in (("commands", "command", "runs"), ("files", "write", "files"))
        if due.get(side)
    ]
    return {"form": "due", "act": [{"on": "write", "files": list(due["after"])}], "then": then}


_FILE_TOOLS = {"Write", "Edit", "MultiEdit", "NotebookEdit"}


def reading_first(triggers: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """The rule that a lesson is read before the first call that its triggers name; none where they name no
    call."""
    tools = set(triggers.get("tool_names") or ())
    sides = (
        ("command", "runs", triggers.get("command_patterns") if not tools or "Bash" in tools else ()),
        ("write", "files", triggers.get("file_patterns") if not tools or tools & _FILE_TOOLS else ()),
    )
    fitting = ((on, name, [part for part in held or () if len(part) <= _LONGEST]) for on, name, held in sides)
    act = [{"on": on, name: held[:_MOST]} for on, name, held in fitting if held]
    return [{"form": "before", "act": act}] if act else []


OLDER = ("wanted", "unwanted", "due", "gate")


def of_patterns(unwanted: Mapping[str, Any], instead: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rule of the calls that words speak against (`commands`, `files`, `tokens`) and of those that they
    ask for instead; none where they speak against none."""
    act, then = _acts(unwanted, instead.get("commands", ())), _acts(instead)
    return [{"form": "never", "act": act, **({"then": then} if then else {})}] if act else []


def _acts(patterns: Mapping[str, Any], unless: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The acts that patterns of calls mean; prose may speak of code, but not use a sign."""
    given = {name: _fitting(patterns.get(name, ())) for name in ("commands", "files", "tokens")}
    signs = [token for token in given["tokens"] if not any(map(str.isalnum, token))]
    events = (
        {"on": "command", "runs": given["commands"], "unless": _fitting(unless)},
        {"on": "write", "files": given["files"]},
        {"on": "write", "text": [token for token in given["tokens"] if token not in signs], "skip": ["docs"]},
        {"on": "write", "text": signs},
    )
    acts = [{name: value for name, value in event.items() if value} for event in events]
    return [event for event in acts if {"runs", "files", "text"} & set(event)]


def _fitting(values: Iterable[str]) -> list[str]:
    """Patterns that a check may have."""
    stripped = dict.fromkeys(value.strip() for value in values)
    fit = (value for value in stripped if len(value) <= _LONGEST and not value.startswith(EXPRESSION))
    return [value for value in fit if set(value) - set("*/")][: _MOST // 2]


def reads_first(rule: Mapping[str, Any]) -> bool:
    """Whether a rule only stops the first call of its kind, so that the lesson is read before."""
    return bool(rule["form"] == "before" and not rule.get("then"))


def is_known(rule: Any) -> bool:
    """Whether this version knows all that a stored rule says; what a newer one wrote would mean more."""
    if not isinstance(rule, Mapping):
        return True
    events = [
        event for side in ("act", "then") for event in rule.get(side) or () if isinstance(event, Mapping)
    ]
    return (
        rule.keys() <= CheckRule.model_fields.keys()
        and rule.get("form") in ("never", "before", "due", "after")
        and all(event.keys() <= CheckEvent.model_fields.keys() for event in events)
        and all(event.get("on") in _VERBS for event in events)
    )


def upgraded(doc: Mapping[str, Any]) -> dict[str, Any]:
    """A lesson's document in which what earlier versions kept beside the check is a part of it.

    Rules of a newer version are left out: the lesson is told, and they bind nobody here.
    """
    rest = {name: value for name, value in doc.items() if name not in OLDER}
    if rest.get("check") and not all(map(is_known, rest["check"])):
        rest = {**rest, "check": [rule for rule in rest["check"] if is_known(rule)]}
    if len(rest) == len(doc):
        return rest
    due = doc.get("due") or {}
    before = of_patterns(doc.get("unwanted") or {}, doc.get("wanted") or {})
    before += [of_due_moment(due)] if due.get("after") else []
    behind = reading_first(doc.get("triggers") or {}) if doc.get("gate") else []
    return (
        {**rest, "check": [*before, *(rest.get("check") or ()), *behind][:MOST_RULES]}
        if before or behind
        else rest
    )


class OwnCommand(Document):
    """A command of the person that has to pass before an agent is done that wrote in a project."""

    line: str
    """As the person typed it."""
    argv: Patterns = Field(min_length=1)
    """Its words, the program by its full path."""
    project: str
    files: dict[str, int] = Field(default_factory=dict)
    """What it runs of the project, by its path, with the checksum of `wire.own_command`."""

    @property
    def words(self) -> str:
        """All that will run, and what it is bound to."""
        bound = f"; only while {_or(list(self.files))} stays as it is" if self.files else ""
        return f"after you write a file: `{shlex.join(self.argv)}` in {self.project} passes{bound}"


class CheckRule(_Said):
    """One sentence of a check."""

    form: Literal["never", "before", "due", "after"]
    act: tuple[CheckEvent, ...] = Field(min_length=1, max_length=12)
    then: tuple[CheckEvent, ...] = Field(default=(), max_length=12)
    """Never: what to do instead. Before: what has to come first, if not that the lesson is read. Due: what
    has to follow. After: what may not follow."""
    since: Literal["", "edit", "commit"] = ""
    """What came first counts only since the last edit, or commit."""
    passing: bool = False
    """It counts only where it ended well."""
    turn: bool = False
    """It counts only in the turn in which it was done."""
    every: bool = False
    """A call is stopped each time, not once a session, until what has to come first is done or the person
    orders it."""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.form in ("due", "after") and not self.then:
            raise ValueError(f"`{self.form}` has a `then`")
        judged = {"never": self.act, "after": self.then}.get(self.form, ())
        if everything := next((event for event in judged if event.is_any), None):
            raise ValueError(f"it would stop every {everything.on}")
        if self.every and (self.form == "due" or (self.form == "before" and not self.then)):
            raise ValueError("`every` is for what stops a call, not for what is due or read first")
        return self

    @property
    def words(self) -> str:
        """The rule as a sentence: "before you run `git commit`: run `make test`, which passes"."""
        acts, then = (" or ".join(event.words for event in side) for side in (self.act, self.then))
        which = f"{then}{', which passes' if self.passing else ''}"
        which += f", since the last {self.since}" if self.since else ""
        which += ", in the same turn" if self.turn else ""
        each = " (stopped every time)" if self.every else ""
        return {
            "never": f"never {acts}{then and f': {then}'}",
            "before": f"before you {acts}: {which or 'read this'}",
            "due": f"after you {acts}: {which}, before you are done",
            "after": f"once you {acts}: never {which}",
        }[self.form] + each  # fmt: skip
