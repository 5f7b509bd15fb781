"""edit."""

from __future__ import annotations

import os
import shlex
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING

from learnloop.cli import fields, output
from learnloop.cli.registry import Command
from learnloop.errors import LearnloopError, Refused

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.cli.fields import Values
    from learnloop.models.lesson import Lesson
    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Without options the fields open in $VISUAL or $EDITOR. An option that may be given several times\n"
        "replaces the whole list; an empty value empties it. What a kind holds is set by name:\n"
        "learn edit ID --kind checklist --set content.items=first --set content.items=second"
    )
    parser.add_argument("id", metavar="ID", help="a lesson's id, or the first 4 characters or more")
    for field in fields.FIELDS:
        parser.add_argument(
            field.option,
            dest=field.name,
            action="append" if field.many else "store",
            choices=field.choices or None,
            metavar=None if field.choices else "TEXT",
            help=f"{field.help}{' (several times)' if field.many else ''}",
        )
    parser.add_argument(
        "--set",
        dest="settings",
        action="append",
        metavar="NAME=VALUE",
        help="any field by its name, also of what the kind holds, like content.risk (several times)",
    )


def _edit(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.lessons import lookup

    lesson = lookup.find(ws, args.id)
    given = _given(args)
    if given:
        _apply(ws, lesson, given)
    else:
        _in_editor(ws, lesson)
    return 0


def _given(args: Namespace) -> Values:
    found = fields.assigned(args.settings or ())
    for field in fields.FIELDS:
        value = getattr(args, field.name)
        if value is not None:
            found[field.name] = [item for item in value if item] if field.many else value
    if found.get("project"):
        from learnloop.cli.options import project_of

        found["project"] = project_of(str(found["project"]))
    return found


def _apply(ws: Workspace, lesson: Lesson, wanted: Values) -> None:
    from learnloop.cli.commands.verdicts import tell
    from learnloop.service.review import verdicts

    differing = fields.changed(lesson, wanted)
    if not differing:
        output.line("Nothing changed.")
        return
    changes, scope = fields.as_changes(lesson, differing), fields.as_scope(lesson, differing)
    made = [verdicts.edit(ws, lesson.id, changes)] if changes else []
    if scope:
        made.append(verdicts.set_scope(ws, [lesson.id], scope["scope"], scope["project"], scope["path"]))
    for decision in made:
        tell(ws, decision)
    output.note(f"Take it back with: learn undo{' (twice)' if len(made) == 2 else ''}")


def _in_editor(ws: Workspace, lesson: Lesson) -> None:
    before = fields.render(lesson)
    path = _scratch(ws, before)
    _run_editor(path)
    after = path.read_text("utf-8", "replace")
    try:
        if after != before:
            _apply(ws, lesson, fields.parse(after))
        else:
            output.line("Nothing changed.")
    except LearnloopError as error:
        raise type(error)(error.message, f"{error.hint}; your text is kept in {path}") from None
    path.unlink(missing_ok=True)


def _scratch(ws: Workspace, text: str) -> Path:
    """A file for the editor, below the root: nothing private goes to a shared folder."""
    fd, name = mkstemp(prefix="edit-", suffix=".txt", dir=ws.root)
    with os.fdopen(fd, "w", encoding="utf-8") as file:
        file.write(text)
    return Path(name)


def _run_editor(path: Path) -> None:
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not named and not output.can_ask():
        path.unlink()
        raise Refused("there is nothing to change", "name a field (learn edit --help) or set EDITOR")
    words = shlex.split(named or "vi")
    try:
        code = subprocess.run([*words, str(path)], check=False).returncode
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise Refused(f"the editor {words[0]} does not start ({error.strerror})", "set EDITOR") from None
    if code:
        path.unlink(missing_ok=True)
        raise Refused(f"the editor {words[0]} ended with {code}", "nothing was changed; try again")


COMMANDS = {"edit": Command(_add, _edit)}
