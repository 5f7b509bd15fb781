"""Check the changes of a lesson before they are decided: a refusal names the field and what to do."""

import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learnloop.errors import Refused
from learnloop.learn.lessons import content as kinds
from learnloop.learn.lessons import sanitize, trigger_limits
from learnloop.models.kinds import is_empty
from learnloop.models.lesson_check import OwnCommand
from learnloop.recall import compile as compiling
from learnloop.service import place, redaction
from learnloop.service.id_prefix import shown
from learnloop.service.lessons import documents, lookup
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, own_command, paths, project, render

if TYPE_CHECKING:
    from learnloop.models import Lesson

_NOTHING = "nothing was changed"


def complete(ws: Workspace, lesson: "Lesson", changes: dict[str, Any]) -> dict[str, Any]:
    """The changes with a content that fits the kind; raises Refused where a field is not valid.

    `content` may have some fields only: the others keep their value, converted where the kind changes.
    """
    before = lesson.as_json()
    new_fields = {**changes, **_content(before, changes)}
    if wrong := trigger_limits.problem(new_fields.get("triggers") or {}):
        raise Refused(f"{wrong[0]}: {wrong[1]}", _NOTHING)
    _refuse_hazards(ws, new_fields)
    if new_fields.keys() & {"statement", "content", "kind"}:
        _refuse_long(ws, {**before, **new_fields})
    return new_fields


def future_day(value: object) -> str | None:
    """A day or time to come as it is stored, None for none; raises Refused for any other value."""
    if not value:
        return None
    ms = clock.parse_ms(value, default=-1)
    if ms < 0:
        raise Refused(f"{str(value)[:40]!r} is no day", "write it as 2027-01-31; nothing was changed")
    if ms <= clock.now_ms():
        raise Refused(f"{str(value)[:40]} is over", "learn edit --archive takes a lesson out of use at once")
    return clock.iso(ms)


def _content(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    kind = str(changes.get("kind", before["kind"]))
    if "content" not in changes and kind == before["kind"]:
        return {}
    given, had_none = changes.get("content", {}), is_empty(before.get("content"))
    if given is None or (not given and had_none):
        return {"content": None}
    content = {**({} if had_none else kinds.convert_content(before, kind)), **given}
    content = {name: value for name, value in content.items() if value not in ("", None, (), [])}
    for name, wrong in kinds.problems(kind, content).items():
        raise Refused(f"content.{name}: {wrong}", f"{_NOTHING}; give it with --set content.{name}=…")
    return {"content": kinds.validated_content(kind, content)}


def _refuse_hazards(ws: Workspace, changes: dict[str, Any]) -> None:
    words = ("statement", "title", "description", "example", "counter_example")
    texts = {name: changes[name] for name in words if changes.get(name)}
    texts |= {f"content.{name}": value for name, value in (changes.get("content") or {}).items()}
    is_id = compiling.names(documents.lessons(ws.root))
    for name, value in texts.items():
        for text in value if isinstance(value, list | tuple) else [value]:
            if wrong := sanitize.hazard(str(text), is_id):
                raise Refused(f"{name}: {wrong}", f"{_NOTHING}; say it in other words")


def refuse_triggers(chosen: Iterable["Lesson"]) -> None:
    """Raise Refused for imported lessons whose triggers match everything or nothing."""
    for lesson in chosen:
        if wrong := trigger_limits.problem(lesson.triggers.model_dump()):
            raise Refused(
                f"{shown(lesson.id)}: {wrong[0]}: {wrong[1]}", "change it first: e in learn-tui, learn edit"
            )


def hazard_in(ws: Workspace, statement: str) -> str:
    """A message where a statement imitates an id or markup of the hooks, else empty."""
    return sanitize.hazard(statement, compiling.names(documents.lessons(ws.root)))


def _refuse_long(ws: Workspace, after: dict[str, Any]) -> None:
    room = render.most_characters(ws.settings.budgets.call_tokens) - len(str(after["id"])[:6])
    length = len(kinds.essential_text(after))
    if length > room and after.get("content"):
        raise Refused(
            f"agents would get {length:,} characters, and a call has room for {room:,}",
            "shorten it, or make two lessons of it; nothing was changed",
        )


def recall_text(ws: Workspace, lesson: "Lesson") -> str:
    """The text that an agent gets of a lesson at a call or prompt, without its short id."""
    room = render.most_characters(ws.settings.budgets.call_tokens)
    is_id = compiling.names(documents.lessons(ws.root))
    record = compiling.record(lesson.as_json(), lesson.id[:6], is_id, room)
    return render.words(record)


_SHELL = set("|&;<>()$`\n*?~#")
_LONGEST = 500
_RECIPES = {
    "make": ("Makefile", "makefile", "GNUmakefile"), "just": ("justfile", ".justfile"),
    "npm": ("package.json",), "pnpm": ("package.json",), "yarn": ("package.json",), "bun": ("package.json",),
    "tox": ("tox.ini",), "nox": ("noxfile.py",), "rake": ("Rakefile",), "task": ("Taskfile.yml",),
    "pre-commit": (".pre-commit-config.yaml",),
}  # fmt: skip
"""The files that say what a program runs in a project."""


def own_command_of(ws: Workspace, lesson: "Lesson", line: str) -> dict[str, Any] | None:
    """The command of a person as it may run from now on; None for an empty line.

    It is bound to the lesson's project, else to the one that it is typed in, and to what it runs of it.
    Raises Refused where no person types it, for what only a shell understands, and for no program.
    """
    agent_guard.refuse("set a command that runs")
    if not place.here().attended:
        raise Refused("a command that runs is only set by you", "type it in a terminal, or in learn-tui")
    line = line.strip()
    if not line:
        return None
    if redaction.redacted(ws, line) != line or len(line) > _LONGEST:
        raise Refused(
            "the command is too long, or looks like a secret", "put it into a script, and name that"
        )
    where = lesson.project or lookup.came_from(ws, lesson) or project.find(str(Path.cwd()), paths.home())
    if not Path(where).is_dir():
        raise Refused(f"there is no folder {where} here", "set it where the project is checked out")
    argv = _argv(line, where)
    return OwnCommand(line=line, argv=argv, project=where, files=_files(argv, where)).as_json()


def _argv(line: str, where: str) -> tuple[str, ...]:
    """The words of a line, the program by its full path."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise Refused(f"the command cannot be read ({error})", "close each quote") from None
    if not words or not _SHELL.isdisjoint(line):
        raise Refused("no shell reads the command", "put what needs one into a script, and name that")
    path = os.pathsep.join((*_own_programs(where), os.environ.get("PATH", os.defpath)))
    named = str(Path(where, words[0])) if "/" in words[0] else words[0]
    program = shutil.which(named, path=path)
    if not program:
        raise Refused(f"there is no program {words[0]}", "name it by its path")
    return (os.path.abspath(program), *words[1:])  # noqa: PTH100  # a link stays one


def _own_programs(where: str) -> Iterator[str]:
    """Where a project keeps programs of its own."""
    return (str(Path(where, folder)) for folder in (".venv/bin", "venv/bin", "node_modules/.bin"))


def _files(argv: Sequence[str], where: str) -> dict[str, int]:
    """The files of the project that a command runs or is given, each with its checksum."""
    root = Path(where)
    named = [root / word for word in argv] + [root / name for name in _RECIPES.get(Path(argv[0]).name, ())]
    inside = (path for path in named if path.is_relative_to(root) and path.is_file())
    return {str(path): own_command.checksum(str(path)) for path in inside}
