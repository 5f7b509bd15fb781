"""What is stored of agents: tallies of ingest, imported figures, and turns by day.

A *tally* has the counts of one agent in one project and host, by day, area and lesson.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from learnloop.learn.profile import agent_tallies
from learnloop.models.agent import AgentPerformance
from learnloop.service import redaction
from learnloop.service.workspace import Workspace
from learnloop.store.document_table import Span
from learnloop.store.store import Store

Doc = dict[str, Any]
IMPORTED = "imported_agents"
"""The table of imported figures, which no event contains."""


def stored_figures(
    root: str, project: str | None, host: str | None
) -> tuple[list[Doc], list[AgentPerformance]]:
    """Own tallies, and imported figures of agents without one there."""
    store = Store(root)
    tallies, imported = (
        [doc for doc in store.documents(name).values()
         if project in (None, doc.get("project")) and host in (None, doc.get("host"))]
        for name in ("agents", IMPORTED)
    )  # fmt: skip
    own = {(doc["agent_name"], doc["project"], doc["host"]) for doc in tallies}
    others = map(AgentPerformance.model_validate, imported)
    return tallies, [agent for agent in others if (agent.agent_name, agent.project, agent.host) not in own]


def enter_imported(ws: Workspace, performances: Iterable[AgentPerformance]) -> int:
    """Store imported figures of agents without own ones; returns how many were new.

    They are stored beside the tallies and never added to, so importing twice changes nothing.
    """
    entered = 0
    with Store(ws.root).transaction() as changes:
        table, tallies = changes.table(IMPORTED), changes.table("agents")
        for agent in performances:
            clean = redaction.redacted(ws, agent.with_(lessons=()).as_json())
            clean["agent_name"] = name = agent_tallies.stored_name(str(clean["agent_name"]))
            key = agent_tallies.tally_id(name, clean["project"], clean["host"])
            if key not in table and key not in tallies:
                table.put(key, clean)
                entered += 1
    return entered


def places(tallies: Iterable[Doc]) -> set[tuple[str, str]]:
    """Where tallies count: project and host."""
    return {(tally["project"], tally["host"]) for tally in tallies}


def turns_of_day(store: Store, day: str) -> Iterator[Doc]:
    """The stored turns that began on a UTC day."""
    return store.all_documents("turns", Span(day, day))
