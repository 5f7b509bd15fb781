"""rules, mute, unmute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.output import Column
from learnloop.cli.registry import Command

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from learnloop.service.review.rule_muting import RuleStats
    from learnloop.service.workspace import Workspace


def _rules(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import rule_muting

    found, threshold = rule_muting.rules(ws), rule_muting.threshold(ws)
    if args.json:
        output.as_json([_shape(one) for one in found])
        return 0
    columns = [Column("RULE", wide=True), Column("ACCEPTED", "right"), Column("REJECTED", "right")]
    columns += [Column("WAITING", "right"), Column("SHARE", "right"), Column("WHY REJECTED"), Column("")]
    output.table(columns, [_cells(one) for one in found], empty="No rule has drafted anything yet")
    how = "as set by draft_threshold" if threshold.is_set else "from your verdicts"
    if threshold.value:
        output.line(f"Drafts less sure than {threshold.value:.2f} are folded under the weaker ones ({how}).")
    return 0


def _shape(one: RuleStats) -> dict[str, object]:
    return {**one._asdict(), "share": one.share, "offered": one.is_poor, "reasons": dict(one.reasons)}


def _cells(one: RuleStats) -> list[object]:
    share = "" if one.share is None else f"{one.share:.0%}"
    told = "muted" if one.muted else f"poor: learn mute {one.rule!r}" if one.is_poor else ""
    why = ", ".join(f"{reason} {count}" for reason, count in one.reasons[:3])
    return [one.rule, one.accepted, one.rejected, one.waiting, share, why, told]


def _add_rule(parser: ArgumentParser) -> None:
    parser.add_argument(
        "rule", metavar="RULE", help="a rule's name or unique beginning, as learn rules lists it"
    )


def _mute(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import rule_muting

    decision = rule_muting.mute(ws, args.rule)
    output.line(f"Muted {decision.args['rule']!r}: its drafts are folded away. learn undo takes it back.")
    return 0


def _unmute(ws: Workspace, args: Namespace) -> int:
    from learnloop.service.review import rule_muting

    decision = rule_muting.unmute(ws, args.rule)
    output.line(f"{decision.args['rule']!r} drafts again. learn undo takes it back.")
    return 0


COMMANDS = {
    "rules": Command(options.add_json, _rules),
    "mute": Command(_add_rule, _mute),
    "unmute": Command(_add_rule, _unmute),
}
