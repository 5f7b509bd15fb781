"""`learn experiments`: what experiments know; start, pause, stop and decide them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import lesson_table, options, output
from learnloop.cli.columns import Column
from learnloop.errors import Refused
from learnloop.service.id_prefix import shown

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.models.experiment import ExperimentReport


_HELP = """\
Without a word: lists the experiments with what they know.

  new NAME            hold a lesson out of some sessions: --lesson ID, --share P, --outcome O
  show ID             one with its figures
  size                what one would take: --base, --effect, --share, --lesson
  pause | resume ID   tell its lessons to all for now; go on
  stop ID             end it without a winner
  promote ID VARIANT  let that variant hold for all sessions

learn experiments --holdout ID is the short way to try one lesson, --holdout --all to try them together.

new NAME --variants compares other things: NAME:WEIGHT[:off|:WORDS] of a lesson; without one, of all recall
NAME:WEIGHT:per_call=1,call_tokens=100 (start_tokens too) or NAME:WEIGHT:priming=off. The last is what the
others are compared with.
"""
_EMPTY = "No experiment yet: learn experiments --holdout ID tries what a lesson changes"
_OUTCOMES = ("own", "done", "corrected", "success")


def _experiments_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    parser.epilog = _HELP
    add("verb", nargs="?", choices=tuple(_ACTIONS), default="list", metavar="WHAT", help="see below")
    add("name", nargs="?", default="", metavar="ID|NAME", help="an experiment, or the name of a new one")
    add("winner", nargs="?", default="", metavar="VARIANT", help="promote: the variant")
    add("--lesson", action="append", default=[], metavar="ID", help="new, size: a lesson; may be repeated")
    add("--variants", nargs="+", default=[], metavar="V", help="new: NAME:WEIGHT, NAME:WEIGHT:WORDS, …")
    add("--outcome", choices=_OUTCOMES, default="",
        help="new: what is compared (default own: the lesson's own correction came again; of all recall "
        "corrected; done: a call did what the lesson forbids)")  # fmt: skip
    add("--question", default="", metavar="Q", help="new: what it is to answer")
    add("--reason", default="", metavar="R", help="pause, stop: why")
    add("--sure", action="store_true", help="new: CRITICAL and gated lessons as well")
    add("--base", type=options.share, default=0.33, metavar="P",
        help="size: percent of moments that are corrected without the lesson (default 33)")  # fmt: skip
    add("--effect", type=options.share, default=0.5, metavar="P",
        help="size: percent of these that the lesson saves (default 50)")  # fmt: skip
    held = "new, size: percent held out (default 20)"
    add("--share", type=options.positive, default=20, metavar="P", help=held)
    options.add_json(parser)


def _experiments(ws: Workspace, args: Namespace) -> None:
    _ACTIONS[args.verb](ws, args)


def _list(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.experiments import reports

    listed = reports.reports(ws)
    columns = [Column("ID", style="cyan"), Column("STATE"), Column("NAME"), Column("MOMENTS", "right")]
    columns += [Column("KNOWN", wide=True)]
    output.listing(listed, columns, _cells, json=args.json, empty=_EMPTY)
    if len(listed) > 1 and not args.json:
        from learnloop.faces import experiment_page

        output.note(experiment_page.ONE_IN_TWENTY)


def _cells(known: ExperimentReport) -> list[object]:
    experiment = known.experiment
    words = f"{known.known} ({experiment.reason})" if experiment.reason else known.known
    moments = f"{known.moments}/{known.needed_moments}" if known.needed_moments else known.moments
    return [shown(experiment.id), experiment.state, output.short(experiment.name, 40), moments, words]


def _show(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.experiments import reports

    _print(ws, reports.report(ws, reports.find(ws, args.name)), args)


def _print(ws: Workspace, known: ExperimentReport, args: Namespace) -> None:
    if args.json:
        output.as_json(known)
        return
    from learnloop.cli import pages
    from learnloop.faces import experiment_page
    from learnloop.service.lessons import documents

    lessons = (documents.find(ws, name).statement for name in known.experiment.lesson_ids)
    pages.show(experiment_page.experiment(known, [*lessons], output.local, many=False))


def _size(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.experiments import reports
    from learnloop.service.lessons import documents

    if not 1 <= args.share <= 99:
        raise Refused(f"{args.share} % cannot be held out", "take 1 to 99")
    lesson = documents.find(ws, args.lesson[0]) if args.lesson else None
    sized = reports.size_of(ws, args.base, args.effect, args.share, lesson)
    if args.json:
        output.as_json(sized)
        return
    output.line(f"about {sized.moments} moments in {sized.sessions} sessions")
    weeks = "no end in sight: no moments come" if sized.weeks is None else output.count(sized.weeks, "week")
    output.line(f"{weeks} · {sized.price}")
    output.note(f"at {sized.sessions_a_week:g} sessions a week with a moment of it")


def _new(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.experiments import decide, reports

    variants = [decide.variant(text) for text in args.variants] or decide.told_or_not(args.share)
    decision = decide.start(
        ws, args.name, args.lesson, variants, outcome=args.outcome, question=args.question, is_sure=args.sure
    )
    if not lesson_table.is_claimed(ws, decision):
        _print(ws, reports.report(ws, reports.find(ws, decision.args["experiment"]["id"])), args)


def _step(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.experiments import decide, reports

    experiment = reports.find(ws, args.name)
    match args.verb:
        case "pause":
            decision = decide.pause(ws, experiment.id, args.reason)
        case "resume":
            decision = decide.resume(ws, experiment.id)
        case "stop":
            decision = decide.stop(ws, experiment.id, args.reason)
        case _:
            decision = decide.promote(ws, experiment.id, args.winner)
    if lesson_table.is_claimed(ws, decision):
        return
    report = reports.report(ws, reports.find(ws, experiment.id))
    if args.json:
        output.as_json(report)
    else:
        output.line(f"{output.safe(experiment.name)} is {report.experiment.state}.")
        if hint := decide.to_set(report.experiment):
            output.line(f"Make it hold for all sessions: {hint}")
        output.note("Take it back with: learn undo")


_ACTIONS = {
    "list": _list, "show": _show, "size": _size, "new": _new, "pause": _step, "resume": _step, "stop": _step,
    "promote": _step,
}  # fmt: skip


def _holdout_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("id", nargs="?", default="", metavar="ID", help="a lesson's id, or its first 4 characters or more")
    add(
        "--all",
        action="store_true",
        help="every lesson, later ones too: those sessions are told nothing but stops",
    )
    add("--share", type=options.positive, default=0, metavar="P",
        help="percent of sessions (default 20, with --all 10)")  # fmt: skip
    add("--sure", action="store_true", help="do not ask about a CRITICAL or gated lesson")
    options.add_json(parser)


def _holdout(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.experiments import decide, reports
    from learnloop.service.lessons import documents

    if args.all == bool(args.id):
        options.wrong_usage("name a lesson, or give --all", "learn experiments --holdout --all")
    share = args.share or (decide.SHARE_OF_ALL if args.all else decide.USUAL_SHARE)
    if args.all:
        decision = decide.hold_out_all(ws, share)
        if not lesson_table.is_claimed(ws, decision):
            _print(ws, reports.report(ws, reports.find(ws, decision.args["experiment"]["id"])), args)
        return
    lesson = documents.find(ws, args.id)
    is_sure = args.sure
    if decide.needs_second_question(lesson) and not is_sure and output.can_ask():
        question = f"Some sessions will run without “{output.safe(lesson.statement)}”. Type yes to go on: "
        is_sure = output.ask(question).lower() in ("y", "yes")
    if lesson_table.is_claimed(ws, decide.hold_out(ws, lesson.id, share, is_sure=is_sure)):
        return
    report = reports.of_lesson(ws, lesson.id)
    if args.json:
        output.as_json(report)
        return
    output.line(f"Held out of {share} % of the sessions from now on: {output.safe(lesson.statement)}")
    if report is not None:
        output.note(f"{report.known}; it {report.price}. See: learn experiments")


COMMANDS = {"experiments": (_experiments_options, _experiments), "holdout": (_holdout_options, _holdout)}
"""By verb what declares its options, and what runs it."""
