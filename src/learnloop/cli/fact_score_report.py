"""What `learn facts score` prints: the facts against verdicts, or a model on labelled prompts."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from learnloop.cli import input_file, output
from learnloop.cli.columns import Column
from learnloop.service.facts import fact_quality

if TYPE_CHECKING:
    from argparse import Namespace

    from learnloop.learn.facts.fact_scores import FactScore
    from learnloop.models.agent import Interval
    from learnloop.service.workspace import Workspace

_COUNTS = ("facts", "unsupported", "known", "refused", "drafts", "waiting", "accepted", "edited", "rejected")


def scores(ws: Workspace, args: Namespace) -> None:
    """What became of the facts that a model found."""
    columns = [Column("BY"), Column("NAME", wide=True)]
    columns += [Column(name.upper(), "right") for name in _COUNTS]
    columns += [Column("SHARE", "right"), Column("PER KEPT", "right")]
    found = fact_quality.scores(ws)
    output.listing(found, columns, _cells, json=args.json, empty="No model has read anything")


def _cells(score: FactScore) -> list[object]:
    counts = [getattr(score, name) for name in _COUNTS]
    kept = "" if score.drafts_per_kept is None else f"{score.drafts_per_kept:.1f}"
    share = _share(score.accepted, score.accepted + score.rejected, score.interval)
    return [score.by, score.name, *counts, share, kept]


def trial(ws: Workspace, args: Namespace) -> int:
    """What a model finds in labelled prompts."""
    data = input_file.content(args.name, "name a file of labelled prompts")
    lines = data.decode("utf-8", "replace").split("\n")
    score = fact_quality.trial(ws, lines, shlex.split(args.command), args.model)
    if args.json:
        output.as_json(score)
        return 1 if score.failed else 0
    cost = "cost unknown" if score.cost_usd is None else f"${score.cost_usd:.4f}"
    held = score.facts - score.unsupported
    output.fields([
        ("Found", _share(score.found, score.labelled, score.found_interval)),
        ("Beside", _share(score.beside, held, score.beside_interval)),
        ("Unsupported", f"{score.unsupported} of {score.facts}"),
        ("Failed", f"{score.failed} of {output.count(score.calls, 'call')}"),
        ("Cost", f"{score.seconds:.1f} s, {cost}"),
    ])  # fmt: skip
    return 1 if score.failed else 0


def _share(count: int, total: int, interval: Interval | None) -> str:
    """`17 of 20 (64–95 %)`."""
    if interval is None:
        return ""
    return f"{count} of {total} ({100 * interval.low:.0f}–{100 * interval.high:.0f} %)"
