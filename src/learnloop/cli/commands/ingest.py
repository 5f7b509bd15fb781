"""`learn ingest`: turn what the hooks recorded into feedback and drafts; judge prompts of others."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.errors import Busy

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.ingest.analyze import AnalyzeReport
    from learnloop.ingest.run import IngestReport


_WAIT_S = 10.0


def _ingest_options(parser: ArgumentParser) -> None:
    parser.epilog = (
        "With --all history is read again by the present detector. Your verdicts, edits, merges and scopes "
        "stay; undecided drafts that no rule makes any more are removed. learn analyze is the same verb."
    )
    parser.add_argument("--all", action="store_true", help="read all of history again, not only what is new")
    options.add_json(parser)


def _ingest(ws: Workspace, args: Namespace) -> None:
    if args.all:
        _all(ws, args)
    else:
        _new(ws, args)


def _new(ws: Workspace, args: Namespace) -> None:
    from learnloop.service import workspace
    from learnloop.service.intake import analysis

    report = workspace.ingest(ws, wait_s=_WAIT_S)
    if report.busy:
        raise Busy(
            "another process uses the journal or the store",
            "wait a moment and look with learn lessons --drafts",
        )
    workspace.retire(ws)
    outdated = analysis.is_outdated(ws)
    if args.json:
        output.as_json({
            "events": report.events, "feedback": report.heard, "new_drafts": report.drafts,
            "outdated": outdated,
        })  # fmt: skip
        return
    output.line(f"{output.count(report.events, 'new event')}: {_feedback(report)}.")
    if not report.heard and (before := analysis.last_correction(ws)):
        output.line(f"{before}.")
    if report.quarantined:
        output.note(
            f"{output.count(report.quarantined, 'unreadable line')} kept aside; learn doctor says where"
        )
    if outdated:
        output.note(f"{analysis.REMARK.capitalize()}: {analysis.HINT}")


def _feedback(report: IngestReport) -> str:
    if not report.heard:
        return "no feedback"
    kinds = sorted(report.heard.items(), key=lambda item: (-item[1], item[0]))
    counts = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in kinds)
    return f"{counts}; {output.count(report.drafts, 'new draft')}"


def _all(ws: Workspace, args: Namespace) -> None:
    from learnloop.cli.progress import progress
    from learnloop.service.intake import analysis

    with progress("Segments") as on_progress:
        report = analysis.analyze_all(ws, on_progress)
    if args.json:
        output.as_json(report.as_json())
    else:
        _print(report)


def _print(report: AnalyzeReport) -> None:
    output.line(f"Read {output.count(report.events, 'event')} again: {output.count(report.turns, 'turn')}.")
    outcomes = ", ".join(f"{count} {name}" for name, count in sorted(report.outcomes.items()))
    output.fields(
        [
            ("outcomes", outcomes or "none"),
            ("changed", f"{output.count(report.relabelled, 'turn')} judged otherwise than before"),
            ("feedback", report.feedback),
            ("drafts", f"{report.drafts} in all, {report.new_drafts} new, {report.dropped_drafts} gone"),
            ("kept", f"{output.count(report.kept, 'lesson')} as you decided"),
        ]
    )


def _detect_options(parser: ArgumentParser) -> None:
    parser.epilog = """\
Reads JSON lines {"id"?, "text", "previous"?, "position"?, "interrupted"?} from standard input and writes
one JSON line each: {"id", "category", "confidence", "feedback", "reason"}. "feedback" is the probability
that the prompt is feedback of any kind. A line that cannot be read is answered by {"id": null, "line",
"error"}, and the exit code is 1."""


def _detect(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.intake import detection

    del ws, args
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    bad = 0
    for answer in detection.judge_lines(sys.stdin):
        output.json_line(answer)
        bad += "error" in answer
    if bad:
        output.note(f"{output.count(bad, 'line')} could not be read; the answers say why")
    return int(bad > 0)


COMMANDS = {"ingest": (_ingest_options, _ingest), "detect": (_detect_options, _detect)}
"""By verb what declares its options, and what runs it."""
