"""`learn preferences`: show beliefs about the person, confirm them or drop them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.errors import Refused
from learnloop.service.id_prefix import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.models.preferences import Trait
    from learnloop.models.project_patterns import Finding
    from learnloop.service.profile.belief_page import BeliefPage


def add_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "action", nargs="?", choices=("confirm", "drop", "resolve"), metavar="ACTION",
        help="confirm: agents read it from now on; drop: they do not; resolve: keep one of two rules",
    )  # fmt: skip
    add("belief", nargs="?", metavar="ID", help="a belief's id or unique prefix, or a trait's name")
    add("--value", help="confirm: another value of a trait")
    add("--statement", metavar="TEXT", help="confirm: other words for agents")
    add("--keep", metavar="ID", help="resolve: the rule to keep; the other is retired")
    options.add_json(parser)


def run(ws: Workspace, args: Namespace) -> None:
    if args.action:
        _decide(ws, args)
        return
    from learnloop.service.profile import belief_page

    page = belief_page.belief_page(ws)
    if args.json:
        output.as_json(
            {
                **page.preferences.as_json(),
                "projects": [project.as_json() for project in page.projects],
                "weak_areas": [area.as_json() for area in page.weak_areas],
            }
        )
        return
    columns = [Column("ID"), Column("KIND"), Column("STATE"), Column("BELIEVED", wide=True)]
    empty = "Nothing is believed yet: it takes three remarks about a trait"
    output.table([*columns, Column("FROM", "right")], _rows(page), empty=empty)


def _decide(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.profile import belief_verdicts

    if not args.belief:
        raise Refused(f"{args.action} needs the id of a belief", "learn preferences lists them")
    if args.action == "confirm":
        decision = belief_verdicts.confirm(ws, args.belief, args.value, args.statement)
        where = "when it matters" if decision.action == "promote" else "at their start"
        output.line(f"Confirmed: agents read it {where}. learn undo takes it back.")
    elif args.action == "drop":
        belief_verdicts.dismiss(ws, args.belief)
        output.line("Dropped: no agent reads it. learn undo takes it back.")
    else:
        if not args.keep:
            raise Refused("resolve needs the rule to keep", "name it with --keep ID")
        belief_verdicts.resolve(ws, args.belief, args.keep)
        output.line("Decided: the other rule is retired. learn undo takes it back.")


def _rows(page: BeliefPage) -> Iterator[list[object]]:
    from learnloop.service import project_names

    preferences = page.preferences
    for pair in preferences.contradictions:
        words = " / ".join(f"{shown(rule.lesson_id)} {rule.statement}" for rule in (pair.one, pair.other))
        yield [shown(pair.id), "contradiction", "to resolve", words, 2]
    for trait in preferences.traits:
        yield _trait(trait)
    folders = project_names.names(project.project_path for project in page.projects)
    for project in page.projects:
        for finding in project.findings:
            folder = output.short(folders.get(project.project_path, ""), 30)
            yield _finding(finding, f"{finding.statement} ({folder})")
    for finding in page.weak_areas:
        yield _finding(finding, finding.statement)
    for rule in preferences.rules:
        yield [shown(rule.id), "rule", rule.status, rule.statement or rule.title, rule.seen_count]
    for group in preferences.recurring_corrections:
        yield [
            shown(group.id),
            "recurring",
            "draft" if group.lesson_id else "seen",
            group.pattern,
            group.count,
        ]


def _finding(finding: Finding, words: str) -> list[object]:
    state = "confirmed" if finding.confirmed else "dropped" if finding.dismissed else "not confirmed"
    return [shown(finding.id), finding.kind.replace("_", " "), state, words, finding.count]


def _trait(trait: Trait) -> list[object]:
    words = trait.confirmed_statement if trait.confirmed else trait.statement
    state = "confirmed" if trait.confirmed else "dropped" if trait.dismissed else "not confirmed"
    if trait.conflict and not trait.confirmed:
        words, state = f"both {' and '.join(trait.sides)} were asked for", "to resolve"
    elif not words:
        words, state = "not known yet", "unknown"
    name = trait.name.replace("_", " ")
    return [shown(trait.id), "trait", state, f"{name}: {words}", sum(map(len, trait.evidence.values()))]
