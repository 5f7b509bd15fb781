"""`learn detect`: judge prompts that come as JSON lines."""

import sys

from learnloop.cli import output
from learnloop.cli.commands import ArgumentParser, Namespace, Workspace


def add_options(parser: ArgumentParser) -> None:
    parser.epilog = """\
Reads JSON lines {"id"?, "text", "previous"?, "position"?, "interrupted"?} from standard input and writes
one JSON line each: {"id", "category", "confidence", "feedback", "reason"}. "feedback" is the probability
that the prompt is feedback of any kind. A line that cannot be read is answered by {"id": null, "line",
"error"}, and the exit code is 1."""


def run(ws: Workspace, args: Namespace) -> int:
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
