"""`learn facts`: let a model read along, see what it would be asked, and what came of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from learnloop.cli import files, lesson_table, options, output, patch_report
from learnloop.cli.columns import Column
from learnloop.cli.commands import triage
from learnloop.errors import NotFound, Refused
from learnloop.service.id_prefix import shown

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.models.agent import Interval
    from learnloop.models.fact import Fact, FactRun
    from learnloop.service.facts.fact_quality import AnswerScore


_HELP = """\
Without a word: lists the facts. A fact is what a model says that you taught in a prompt.

  on | off        let a model read along in a project, or no more; --all: in all. At a terminal on shows
                  first what would be sent, to whom and at what price
                  on --mode auto: facts in your words are approved and written without a question
                  on --turns, off --turns: let it judge what agents did by lessons that no check decides
  take-back       undo all that was approved so in a project, files included
  modes           the projects in which it may
  show [ID]       exactly what goes next, of one session if named; where no model reads along yet, what
                  would go first; or one fact by its id; --turns: what goes about the last turn
  requests        the same as JSON lines, for any model: -o FILE
  answers FILE    take such lines, each with an answer
  run             ask now, without waiting for sessions to rest, also after failures
  runs            what was asked of a model, with time and cost
  score FILE      what answers (--answers FILE, as requests writes them) are worth by labels: JSON lines
                  {"text": a prompt, "facts": […]} and {"statement": a draft, "verdict": "A"}

Nothing is sent unless you said yes. learn config facts.mode off stops it everywhere at once.
"""
_AUTO = """\
What it finds in your own words is approved and written without a question: into LEARNED.md, or the AGENTS.md
of the folder that it is about. Agents follow it from then on. What is left for you says why.
Take back: learn undo or z in learn-tui the last one, learn facts take-back all of them."""


def _facts_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    parser.epilog = _HELP
    add("verb", nargs="?", choices=tuple(_ACTIONS), default="list", metavar="WHAT", help="see below")
    add("name", nargs="?", default="", metavar="ID|FILE", help="a session, a fact, or a file of answers")
    add("--project", metavar="FOLDER", help="the project (on, off, take-back: default the current one)")
    add("--all", action="store_true", help="on, off: every project, also later ones")
    add("--turns", action="store_true", help="on, off, show: judging turns that wrote files")
    add("--mode", choices=("draft", "auto"), help="on: what becomes of facts (default draft)")
    patch_report.add_import(parser, "on --mode auto")
    add("--answers", default="", metavar="FILE", help="score FILE: requests with answers")
    add("-o", "--output", default="-", metavar="FILE", help="requests: where to; - is stdout (default)")
    options.add_limit(parser, 50)
    options.add_json(parser)


def _facts(ws: Workspace, args: Namespace) -> int | None:
    return _ACTIONS[args.verb](ws, args)


def _list(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.facts import listing

    columns = [Column("ID", style="cyan"), Column("STATE"), Column("LESSON"), Column("SAYS", wide=True)]
    empty = "No model has read anything: learn facts on lets one read along"
    listed = listing.with_verdicts(ws, listing.facts(ws)[: args.limit])
    output.listing(listed, columns, lambda fact: _fact_cells(ws, fact), json=args.json, empty=empty)


def _fact_cells(ws: Workspace, fact: Fact) -> list[object]:
    lesson_id = lesson_table.short(ws, fact.lesson_id) if fact.lesson_id else ""
    return [shown(fact.id), fact.status, lesson_id, output.short(fact.text, 300)]


def _runs(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.facts import listing

    columns = [Column("TIME"), Column("STAGE"), Column("MODEL"), Column("PROMPTS", "right")]
    columns += [Column("FACTS", "right"), Column("SECONDS", "right"), Column("COST", "right")]
    columns += [Column("CAME TO", wide=True)]
    listed = listing.runs(ws)[: args.limit]
    output.listing(listed, columns, _run_cells, json=args.json, empty="No model was asked yet")


def _run_cells(_facts: FactRun) -> list[object]:
    cost = "unknown" if _facts.cost_usd is None else f"${_facts.cost_usd:.4f}"
    outcome = f"{_facts.outcome}: {_facts.error}" if _facts.error else _facts.outcome
    seconds = f"{_facts.ms / 1000:.1f}"
    when = output.local(_facts.started)
    return [when, _facts.stage, _facts.model, _facts.prompts, _facts.facts, seconds, cost, outcome]


def _score(_ws: Workspace, args: Namespace) -> int:
    from learnloop.service.facts import fact_quality

    labels, answered = (
        files.content(name, f"name a file of {what}").decode("utf-8", "replace").split("\n")
        for name, what in ((args.name, "labels"), (args.answers, "answered requests with --answers"))
    )
    scores = fact_quality.of_answers(labels, answered)
    columns = [
        Column("DRAFTS", wide=True),
        Column("APPROVED AS WORDED", "right"),
        Column("WORTH IT", "right"),
    ]
    columns += [Column("REVERSED", "right"), Column("LESSONS WITH A DRAFT", "right")]
    output.listing(scores, columns, _score_cells, json=args.json, empty="Nothing was answered")
    if failed := scores[0].failed:
        output.note(f"{failed} of {output.count(scores[0].answers, 'answer')} cannot be read")
    return int(failed > 0)


def _score_cells(score: AnswerScore) -> list[object]:
    surer = f", {score.least_sure} sure or more" if score.least_sure else ""
    return [
        f"{score.drafts}{surer}", _share(score.approved, score.judged, score.approved_interval),
        f"{score.worth_keeping} of {score.judged}",
        _share(score.reversed, score.judged, score.reversed_interval),
        _share(score.found, score.lessons, score.found_interval),
    ]  # fmt: skip


def _share(count: int, total: int, interval: Interval | None) -> str:
    """`17 of 20 (64–95 %)`."""
    return f"{count} of {total} ({100 * interval.low:.0f}–{100 * interval.high:.0f} %)" if interval else ""


def _switch(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.facts import modes
    from learnloop.service.patches import patches

    project = modes.EVERYWHERE if args.all else options.project_named(args.project or ".")
    if args.turns:
        _switch_turns(ws, args, project)
        return
    if args.verb == "on" and not (args.mode or args.all) and output.on_terminal() and output.can_ask():
        triage.ask(ws, modes.offer(ws, project))
        return
    mode = (args.mode or "draft") if args.verb == "on" else "off"
    imports: list[str] = []
    if mode == "auto":
        imports = patch_report.chosen_imports(args, lambda: patches.import_choices_of(ws, project))
    modes.set_mode(ws, project, mode, imports)
    place = "any project" if args.all else project
    if mode == "off":
        output.line(f"No model reads along in {place} any more. What it found stays: learn facts")
        output.line("learn facts take-back undoes what was approved by itself.")
        return
    output.line(f"A model may read along in {place}: what you type there from now on. learn undo stops it.")
    if mode == "auto":
        output.line(_AUTO)


def _switch_turns(ws: Workspace, args: Namespace, project: str) -> None:
    from learnloop.service.facts import modes

    if args.verb == "on" and not args.all and output.on_terminal() and output.can_ask():
        offer = modes.turns_offer(ws, project)
        key = triage.key_for(offer, "[y] yes, in this project · [a] in all · enter: no > ")
        if key not in ("y", "a"):
            return
        project = modes.EVERYWHERE if key == "a" else project
    modes.judge_turns(ws, project, is_on=args.verb == "on")
    place = "any project" if project == modes.EVERYWHERE else project
    if args.verb == "off":
        output.line(f"No turns are judged in {place} any more.")
        return
    output.line(f"A model judges turns that write files in {place} from now on. learn undo stops it.")
    output.line("learn check ID --remind lets an agent wait for what it says of a lesson, up to 20 seconds.")


def _take_back(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.facts import taking_in

    project = options.project_named(args.project or ".")
    done, failed = taking_in.take_back(ws, project)
    output.line(f"Took back {output.count(len(done), 'fact')} in {project}. They are drafts: learn triage")
    for failure in failed:
        output.note(failure)
    return 1 if failed else 0


def _modes(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.facts import modes

    columns = [Column("PROJECT", wide=True), Column("DECIDED"), Column("IN FORCE"), Column("SINCE")]
    output.listing(
        modes.modes(ws), columns,
        lambda mode: [mode.project, mode.mode, mode.in_force, output.local(mode.since)],
        json=args.json, empty="No model reads along anywhere: learn facts on --project FOLDER",
    )  # fmt: skip


def _show(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.facts import by_hand, listing, modes

    if args.turns:
        output.line(modes.turns_offer(ws, options.project_named(args.project or ".")).request)
        return
    try:
        asked = list(by_hand.requests(ws, _project(args), args.name, allowed=True))
    except NotFound:
        fact = listing.fact(ws, args.name)
        output.as_json(fact) if args.json else output.fields(fact.as_json().items())
        return
    if args.json:
        output.as_json(asked)
        return
    for request in asked:
        output.line(f"── {request['stage']} · {request['model']} · session {request['session_id'][:8]}")
        output.line(f"{request['system']}\n\n{request['text']}\n")
    if not asked:
        output.line(modes.nothing_waits(ws, options.project_named(args.project or ".")))


def _requests(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.facts import by_hand

    asked = [json.dumps(request) for request in by_hand.requests(ws, _project(args), args.name)]
    if args.output == "-":
        for line in asked:
            output.line(line)
        return
    files.write(args.output, "".join(f"{line}\n" for line in asked))
    output.line(f"Wrote {output.count(len(asked), 'request')} to {args.output}.")


def _answers(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.facts import by_hand

    if not args.name:
        raise Refused("answers need a file", "name it, or - for stdin")
    data = files.content(args.name, "name a file of requests with answers")
    report = by_hand.take_answers(ws, data.decode("utf-8", "replace").split("\n"))
    if args.json:
        output.as_json(report)
    else:
        done = output.count(report.runs, "answer")
        facts = output.count(report.facts, "fact")
        output.line(f"Took {done}: {facts}; {report.known} were answered before.")
        for failure in report.failed:
            output.note(failure)
    return 1 if report.failed else 0


def _project(args: Namespace) -> str:
    return options.project_named(args.project) if args.project else ""


def _run_now(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.facts import asking

    outcome = asking.run_now(ws)
    if args.json:
        output.as_json(outcome)
        return 1 if outcome.stopped else 0
    for _facts in outcome.runs:
        output.line(asking.line(_facts))
    if outcome.taken:
        output.line(f"{output.count(outcome.taken, 'fact')} taken in. learn undo takes the last back.")
    output.line(outcome.stopped or "Nothing more waits. What was found: learn facts")
    return 1 if outcome.stopped else 0


_ACTIONS = {
    "run": _run_now, "list": _list, "show": _show, "runs": _runs, "on": _switch, "off": _switch,
    "modes": _modes, "take-back": _take_back, "requests": _requests, "answers": _answers,
    "score": _score,
}  # fmt: skip
_INIT_HELP = """\
The summary has at most 50 lines: what your directives, instruction files, rules and lessons say.
Its facts are not learned again. It is rebuilt when one of its sources changes.
The setting facts.sources names them. A project's own files are read once you trust it (learn config --trust).
"""


def _init_options(parser: ArgumentParser) -> None:
    parser.epilog = _INIT_HELP
    parser.add_argument("--project", default=".", metavar="FOLDER", help="the project (default: this one)")
    options.add_json(parser)


def _init(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.profile import project_findings
    from learnloop.service.review import trust

    project = options.project_of(args.project)
    facts = project_findings.summary(ws, project)
    output.as_json(facts.as_json()) if args.json else output.line(facts.text.rstrip("\n"))
    if not trust.is_trusted(ws.root, project):
        output.note(f"{project} is not trusted, so its own files are not read: learn config --trust")


COMMANDS = {"facts": (_facts_options, _facts), "init": (_init_options, _init)}
"""By verb what declares its options, and what runs it."""
