"""`learn rules`: how the rules that draft lessons do with this person."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column

if TYPE_CHECKING:
    from learnloop.cli.commands import Namespace, Workspace
    from learnloop.service.review.rule_muting import RuleStats

add_options = options.add_json


def run(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.review import rule_muting

    rules, threshold = rule_muting.rules(ws), rule_muting.threshold(ws)
    if args.json:
        output.as_json([
            {**rule._asdict(), "share": rule.share, "offered": rule.is_poor, "reasons": dict(rule.reasons)}
            for rule in rules
        ])  # fmt: skip
        return
    columns = [Column("RULE", wide=True), Column("ACCEPTED", "right"), Column("REJECTED", "right")]
    columns += [Column("WAITING", "right"), Column("SHARE", "right"), Column("WHY REJECTED"), Column("")]
    output.table(columns, [_cells(rule) for rule in rules], empty="No rule has drafted anything yet")
    output.note(f"{threshold.words.capitalize()}.")


def _cells(rule: RuleStats) -> list[object]:
    share = "" if rule.share is None else f"{rule.share:.0%}"
    remark = "muted" if rule.muted else f"poor: learn mute {quote(rule.rule)}" if rule.is_poor else ""
    why = ", ".join(f"{reason} {count}" for reason, count in rule.reasons[:3])
    return [rule.rule, rule.accepted, rule.rejected, rule.waiting, share, why, remark]
