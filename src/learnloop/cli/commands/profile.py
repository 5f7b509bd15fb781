"""`learn agents` and `learn preferences`: how agents did, and what is believed of the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.cli import options, output
from learnloop.cli.columns import Column
from learnloop.errors import Refused
from learnloop.service.id_prefix import shown

if TYPE_CHECKING:
    from learnloop.cli.commands import ArgumentParser, Namespace, Workspace
    from learnloop.models.agent import AgentPerformance


_WEEKS = 12


def _agents_options(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="one agent, in full")
    parser.add_argument("--project", metavar="FOLDER", help="only what was done in one project")
    parser.add_argument("--host", metavar="H", help="only what was done with one host, like claude")
    parser.add_argument("--split", action="store_true", help="a line for each project and host")
    options.add_json(parser)


def _agents(ws: Workspace, args: Namespace) -> None:
    from learnloop.service.profile import agent_figures

    project = options.project_named(args.project) if args.project else None
    performances = agent_figures.performance(ws, project=project, host=args.host, split=args.split)
    if args.name is not None:
        performances = agent_figures.of_agent(performances, args.name)
    if args.json:
        output.documents(performances)
        return
    if args.name is not None and not args.split:
        from learnloop.cli import pages
        from learnloop.faces import agent_page

        pages.show(agent_page.agent(performances[0], output.local, ascii_only=output.is_narrow()))
        return
    from learnloop.service import project_names

    columns = [Column("AGENT", style="cyan")]
    columns += [Column("PROJECT"), Column("HOST")] if args.split else []
    columns += [
        Column("RUNS", "right"), Column("TURNS", "right"), Column("CORRECTED", "right"),
        Column("SHARE", "right"), Column("95 %"), Column("WEEKS"), Column("CORRECTED MOST", wide=True),
    ]  # fmt: skip
    folders = project_names.names(agent.project for agent in performances)
    rows = [
        _cells(agent, [folders.get(agent.project, ""), agent.host] if args.split else [])
        for agent in performances
    ]
    output.table(columns, rows, empty=_EMPTY)


_EMPTY = "No agent was at work yet: run learn install, then give your agent a task; or learn backfill"


def _cells(agent: AgentPerformance, place: list[str]) -> list[object]:
    counts = [agent.total_invocations, agent.turns, agent.revision_count]
    from learnloop.faces import agent_page

    shares = [agent.corrected_words, _interval(agent), agent_page.spark(agent.series, _WEEKS)]
    most = next((f"{theme.count}× {theme.pattern}" for theme in agent.failure_patterns), "")
    return [agent.agent_name, *place, *counts, *shares, most]


def _interval(agent: AgentPerformance) -> str:
    interval = agent.corrected_interval
    return f"{interval.low:.0%}–{interval.high:.0%}" if interval else ""


def _preferences_options(parser: ArgumentParser) -> None:
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


def _preferences(ws: Workspace, args: Namespace) -> None:
    if args.action:
        _decide(ws, args)
        return
    from learnloop.faces import beliefs
    from learnloop.service.profile import belief_verdicts

    page = belief_verdicts.belief_page(ws)
    if args.json:
        output.as_json(
            {
                **page.preferences.as_json(),
                "projects": [project.as_json() for project in page.projects],
                "weak_areas": [area.as_json() for area in page.weak_areas],
            }
        )
        return
    columns = [*map(Column, ("ID", "KIND", "ABOUT", "STATE")), Column("BELIEVED", wide=True)]
    empty = "Nothing is believed yet: it takes three remarks about a trait"
    rows: list[list[object]] = [
        [shown(row.id), row.group, row.where, row.standing.partition(":")[0], row.statement, row.seen]
        for row in beliefs.items(page)
    ]
    for rule in page.preferences.rules:
        rows.append([shown(rule.id), "rule", "", rule.status, rule.statement or rule.title, rule.seen_count])
    output.table([*columns, Column("FROM", "right")], rows, empty=empty)


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


COMMANDS = {"agents": (_agents_options, _agents), "preferences": (_preferences_options, _preferences)}
"""By verb what declares its options, and what runs it."""
