"""`learn show`, `learn edit` and `learn check`: one lesson, its fields and its check."""

from __future__ import annotations

import os
import shlex
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING

from learnloop.cli import fields, files, lesson_table, options, output
from learnloop.cli.lesson_table import print_decision, print_run, print_trial
from learnloop.errors import LearnloopError, Refused
from learnloop.wire import regular

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.cli.fields import Values
    from learnloop.models.lesson import Lesson
    from learnloop.service.review.check_trial import Trial


def _show_options(parser: ArgumentParser) -> None:
    options.add_id(parser)
    options.add_json(parser)


def _show(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import documents

    lesson = documents.find(ws, args.id)
    if args.json:
        output.as_json(lesson.as_json())
        return
    from learnloop.cli import paging

    with paging.paged():
        lesson_table.print_lesson(ws, lesson, _figures(ws, lesson))


def _figures(ws: Workspace, lesson: Lesson) -> Iterator[tuple[str, str]]:
    """What telling a lesson costs, what it changed, and what stands beside it."""
    from learnloop.service.facts import listing
    from learnloop.service.lessons import discoveries, documents, lesson_hosts
    from learnloop.service.recall import at_start, backtest

    yield from _against(ws, lesson)
    yield "cost", backtest.cost_words(ws, lesson) if lesson.status == "draft" or lesson.path else ""
    yield "told", backtest.tellings_words(lesson)
    yield "corrected in", lesson_hosts.corrected_in(ws, lesson)
    yield "told in", lesson_hosts.told_in(ws, lesson)
    yield "changed", lesson_hosts.story(ws, lesson.id)
    yield "at start", at_start.at_start(ws.root, lesson.project).place_of(lesson.id)
    discovery = discoveries.ranked_discovery(lesson)
    yield "discovery", discoveries.explain(discovery) if discovery else ""
    yield "replaced by", documents.short(ws.root, lesson.superseded_by) if lesson.superseded_by else ""
    yield from listing.story(ws, lesson.id)


def _against(ws: Workspace, lesson: Lesson) -> Iterator[tuple[str, str]]:
    """What a lesson contradicts, and how to settle it."""
    from learnloop.service.lessons import overlaps

    if (found := overlaps.contradiction_of(ws, lesson)) is None:
        return
    other = found.other
    mine, its = (lesson_table.short(ws, key) for key in (lesson.id, other.lesson_id))
    yield "contradicts", f"{its} ({other.status}) {other.statement}"
    if other.status == "active":
        yield "", f"learn promote --replace {mine} {its} keeps this one instead"
    elif lesson.status == "active":
        yield "", f"learn promote --replace {its} {mine} keeps the other instead"
    else:
        yield "", f"learn reject {its} drops the other"


def _edit_options(parser: ArgumentParser) -> None:
    parser.epilog = (
        "Without options the fields open in $VISUAL or $EDITOR. An option that may be given several times\n"
        "replaces the whole list; an empty value empties it. Fields of one kind are set by name:\n"
        "learn edit ID --kind checklist --set content.items=first --set content.items=second"
    )
    options.add_id(parser)
    fields.add_options(parser, fields.FIELDS)
    any_field = "any field by its name, also one of its kind, like content.risk (several times)"
    parser.add_argument("--set", dest="settings", action="append", metavar="NAME=VALUE", help=any_field)


def _edit(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.lessons import documents

    lesson = documents.find(ws, args.id)
    given = _given(args)
    if given:
        _apply(ws, lesson, given)
    else:
        _in_editor(ws, lesson)


def _given(args: Namespace) -> Values:
    given = fields.assigned(args.settings or ()) | fields.given(args, fields.FIELDS)
    if given.get("project"):
        given["project"] = options.project_of(str(given["project"]))
    return given


def _apply(ws: Workspace, lesson: Lesson, edited: Values) -> None:
    from learnloop.service.lessons import documents
    from learnloop.service.review import verdicts

    differing = fields.changed(lesson, edited)
    if not differing:
        output.line("Nothing changed.")
        return
    placed = lesson.with_(project=documents.came_from(ws, lesson))
    changes, scope = fields.as_changes(lesson, differing), fields.as_scope(placed, differing)
    decisions = [verdicts.edit(ws, lesson.id, changes)] if changes else []
    if scope:
        decisions.append(verdicts.set_scope(ws, [lesson.id], scope["scope"], scope["project"], scope["path"]))
    if all(print_decision(ws, decision) for decision in decisions):
        times = f" ({len(decisions)} times)" if len(decisions) > 1 else ""
        output.note(f"Take it back with: learn undo{times}")


def _in_editor(ws: Workspace, lesson: Lesson) -> None:
    before = fields.render(lesson)
    path = _scratch(ws, before)
    _run_editor(path)
    after = regular.content(str(path)).decode("utf-8", "replace")
    try:
        if after != before:
            _apply(ws, lesson, fields.parse(after))
        else:
            output.line("Nothing changed.")
    except LearnloopError as error:
        raise type(error)(error.message, f"your text is kept in {path}; {error.hint}") from None
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
    editor = named or "vi"
    try:
        code = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode
    except (OSError, ValueError) as error:  # the latter: a quote that is not closed
        with suppress(OSError):
            path.unlink()
        raise Refused(f"the editor {editor} does not start ({error})", "set EDITOR") from None
    if code:
        path.unlink(missing_ok=True)
        raise Refused(f"the editor {editor} ended with {code}", "nothing was changed; try again")


_WAYS = {
    "stop": "from now on stop a call that breaks it once a session", "remind": "remind an agent at the end",
    "tell": "only tell it", "first": "stop the first call that its patterns name, so that it is read before",
}  # fmt: skip


def _check_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("id", nargs="?", default="", metavar="ID", help="a lesson, or a unique beginning of its id")
    add("--try", dest="act", metavar="ACT", help="what would happen at a command, or a file with --text")
    add("--text", default="", metavar="T", help="with --try FILE: what is written")
    add("--take", action="store_true", help="store what a model proposes, with --remind or --tell as that")
    add("--set", dest="source", metavar="FILE", help="store the rules of a JSON file (-: standard input)")
    add("--run", metavar="COMMAND", help="what has to pass before an agent is done ('' takes it away)")
    either = parser.add_mutually_exclusive_group()
    for way, words in _WAYS.items():
        either.add_argument(f"--{way}", dest="way", action="store_const", const=way, help=words)
    options.add_json(parser)
    parser.epilog = "docs/checks.md has ten checks to copy. An empty list ([]) takes a check away."


def _check(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.facts import check_proposals
    from learnloop.service.lessons import documents
    from learnloop.service.review import check_trial, verdicts

    lesson = documents.find(ws, args.id)
    if args.source:
        text = files.content(args.source, "name a JSON file of rules").decode("utf-8", "replace")
        lesson = lesson.with_(check=[rule.model_dump() for rule in check_trial.read(text)])
    if args.act:
        _print_try(lesson, args)
        return
    if (args.way and not args.take) or args.run is not None:
        decision = (
            verdicts.bind(ws, lesson.id, args.way)
            if args.way
            else verdicts.edit(ws, lesson.id, {"run": args.run})
        )
        if print_decision(ws, decision):
            print_run(documents.find(ws, lesson.id))
        return
    proposal = None if args.source else check_proposals.proposed(ws, lesson)
    lesson, trial = proposal or (lesson, check_trial.trial(ws, lesson))
    if args.json:
        output.as_json(trial.as_json())
    else:
        _print_check(lesson, trial)
    if proposal and not args.take:
        output.note("A model proposes it. learn check ID --take stores it")
    elif lesson.check and (args.source or proposal):
        print_decision(ws, verdicts.bind(ws, lesson.id, args.way or "stop", lesson.check))
    elif args.source:
        print_decision(ws, verdicts.edit(ws, lesson.id, {"check": []}))


def _print_try(lesson: Lesson, args: Namespace) -> None:
    """What would happen at one act: a command, or a file where text is given or a path stands alone."""
    from learnloop.service.review import check_trial

    is_file = args.text or (" " not in args.act and ("/" in args.act or "." in args.act))
    named = {"file": args.act, "text": args.text} if is_file else {"command": args.act}
    happens = check_trial.try_act(lesson, options.project_named("."), **named)
    output.line(output.safe(happens or "lets it run"))


def _print_check(lesson: Lesson, trial: Trial) -> None:
    print_run(lesson)
    if not trial.check:
        output.note("No check: learn check ID --set FILE stores one (docs/checks.md)")
        return
    print_trial(trial)
    from learnloop.faces import lesson_page

    output.note(f"It {lesson_page.binds(lesson)}.")


COMMANDS = {
    "check": (_check_options, _check), "show": (_show_options, _show), "edit": (_edit_options, _edit),
}  # fmt: skip
"""By verb what declares its options, and what runs it."""
