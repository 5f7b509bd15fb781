"""recall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from learnloop.cli import options, output
from learnloop.cli.output import Column
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

    from learnloop.service.recall.explain import Explained
    from learnloop.service.workspace import Workspace


def _add(parser: ArgumentParser) -> None:
    parser.add_argument("--tool", metavar="T", help="the tool about to run: Write, Edit, NotebookEdit, Bash")
    parser.add_argument("--file", metavar="F", help="the file it is about to write")
    parser.add_argument("--command", metavar="C", help="the command it is about to run")
    parser.add_argument("--prompt", metavar="P", help="what the person typed")
    parser.add_argument("--agent", metavar="A", help="the subagent at work")
    parser.add_argument(
        "--project", default=".", metavar="FOLDER", help="the project (default: the current one)"
    )
    parser.add_argument("--explain", action="store_true", help="every lesson with every part of its score")
    parser.add_argument(
        "--context", action="append", metavar="C",
        help="only lessons about it: a word, or NAME=WORD as in language=python (several times)",
    )  # fmt: skip
    parser.add_argument("--max-lessons", type=options.positive, metavar="N", help="tell at most N lessons")
    parser.add_argument("--max-tokens", type=options.positive, metavar="N", help="in at most N tokens")
    parser.add_argument("--min-score", type=_score, metavar="S", help="only lessons that score S or more")
    parser.add_argument("--examples", action="store_true", help="with the examples of right and wrong")
    parser.epilog = (
        "With --tool, --file, --command or --prompt: what is told at that moment. Without: the lessons that\n"
        "apply to an agent's work (--agent, --context, --project), at most 5 in 1,000 tokens that score 0.6."
    )
    options.add_json(parser)


def _score(text: str) -> float:
    """A score from 0 on."""
    from argparse import ArgumentTypeError

    try:
        score = float(text)
    except ValueError:
        score = -1.0
    if not 0 <= score <= 2:
        raise ArgumentTypeError(f"{text!r} is not a score between 0 and 2")
    return score


def _recall(ws: Workspace, args: Namespace) -> int:
    if args.tool or args.file or args.command or args.prompt:
        if args.context or args.examples:
            options.wrong_usage("--context and --examples go without a moment", "learn recall")
        return _at_moment(ws, args)
    if args.explain:
        options.wrong_usage("name the moment with --tool, --file, --command or --prompt", "learn recall")
    return _apply(ws, args)


def _limits(args: Namespace) -> dict[str, Any]:
    """The limits that were given."""
    named = ("max_lessons", "max_tokens", "min_score")
    return {name: getattr(args, name) for name in named if getattr(args, name) is not None}


def _apply(ws: Workspace, args: Namespace) -> int:
    """The lessons for an agent's work, without a moment."""
    from learnloop.service.recall import explain

    found = explain.applicable(
        ws,
        agent=args.agent or "main",
        context=args.context or (),
        project=options.project_named(args.project),
        examples=args.examples,
        **_limits(args),
    )
    if args.json:
        applied = [lesson.as_json() for lesson in found.applied]
        output.as_json({**found._asdict(), "applied": applied})
    elif found.applied:
        output.line(found.formatted)
    else:
        output.note("No approved lesson applies: learn lessons --status active lists what there is")
    return 0


def _at_moment(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.recall import explain

    found = explain.explain(
        ws,
        tool=args.tool,
        file=args.file,
        command=args.command,
        prompt=args.prompt,
        agent=args.agent,
        project=options.project_named(args.project),
        **_limits(args),
    )
    shown = found if args.explain else [one for one in found if one.told]
    if args.json:
        output.documents(shown)
    elif args.explain:
        _explain(shown)
    else:
        _tell(shown)
    return 0


def _tell(told: Sequence[Explained]) -> None:
    """What the agent hears, and nothing else."""
    for one in told:
        output.line(output.safe(f"{one.says} ({one.short})"))
    if not told:
        output.note("Nothing is told at this moment; --explain says why")


def _explain(found: Sequence[Explained]) -> None:
    columns = [Column("ID", style="cyan"), Column("TOLD")]
    columns += [
        Column(name, "right") for name in ("TOOL", "TARGET", "ACTION", "CONTEXT", "SUM", "TIMES", "SCORE")
    ]
    columns += [Column("WHY", wide=True), Column("SAYS", wide=True)]
    rows = [[one.short, _told(one), *map(_number, _parts(one)), one.why, one.statement] for one in found]
    output.table(columns, rows, empty="No lesson is in use here: learn drafts lists what you can promote")
    if found:
        output.note(f"Told are the best that score {_number(found[0].threshold)} or more.")


def _parts(one: Explained) -> tuple[int, ...]:
    return one.tool, one.target, one.action, one.context, one.base, one.multiplier, one.final


def _told(one: Explained) -> str:
    if one.told:
        return "yes"
    return {"top": "better ones", "budget": "no room"}.get(one.held_back, "no")


def _number(hundredths: int) -> str:
    return f"{hundredths / 100:.2f}"


COMMANDS = {"recall": Command(_add, _recall)}
