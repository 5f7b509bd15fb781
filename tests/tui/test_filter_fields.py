"""What the filter lines of agents, beliefs, patches and sessions can be asked."""

from typing import Any

import pytest
from scripts import filter_page

from learnloop.faces.beliefs import Believed
from learnloop.models.agent import AgentPerformance
from learnloop.models.patch import Patch, PatchTarget
from learnloop.service.lessons import filters
from learnloop.service.sessions.live_sessions import LiveSession
from learnloop_tui.view import agent_state, filter_fields, list_view
from learnloop_tui.view.agent_state import AgentsView
from learnloop_tui.view.patch_state import PatchesView, PatchItem
from learnloop_tui.view.preference_state import BeliefsView
from learnloop_tui.view.session_state import SessionRow, SessionsView

TS = "2023-11-14T22:00:00.000Z"
NOW_MS = 1_700_000_000_000
AGENT = AgentPerformance(agent_name="Reviewer", project="/code/shop", host="codex", total_invocations=12,
                         turns=4, revision_count=3, success_count=1, corrected_rate=0.75)  # fmt: skip
BELIEF = Believed("b1", "trait", "open", "This user wants short answers.", "verbosity", 80, 3, None)
PATCH = Patch(id="p1", source="trait", audience="agent", agent="reviewer", block="Be short.", reason="asked",
              confidence=0.85, evidence_count=3, created=TS, updated=TS,
              targets=(PatchTarget(path="/code/shop/AGENTS.md"),))  # fmt: skip
WATCHED = LiveSession("s1", host="claude", project="/code/shop", branch="main", last_ms=NOW_MS - 3_600_000,
                  task="fix the build", prompts=6, tools={"Bash": (5, 1)}, refusals=1)  # fmt: skip


def _agents(line: str) -> tuple[Any, ...]:
    return list_view.filtered(AgentsView(rows=agent_state.items([AGENT])), line).items


def _beliefs(line: str) -> tuple[Any, ...]:
    return list_view.filtered(BeliefsView(rows=(BELIEF,)), line).items


def _patches(line: str) -> tuple[Any, ...]:
    return list_view.filtered(PatchesView(rows=(PatchItem("p1", PATCH, "clean"),)), line).items


def _sessions(line: str) -> tuple[Any, ...]:
    row = SessionRow("s1", WATCHED, "working", "shop")
    return list_view.filtered(SessionsView(rows=(row,)), line, NOW_MS).items


@pytest.mark.parametrize(
    ("shown", "fits", "fits_not"),
    [
        (_agents, "agent:rev host:codex runs:>=12 corrected:75 is:few revised:>2 shop",
         "host:claude runs:<5 corrected:>75 is:enough good:>1 cancelled:1 nowhere"),
        (_beliefs, "kind:trait status:open state:open where:verb seen:>2 strength:>=80 short",
         "kind:agent status:told where:shop seen:<3 strength:<80 nowhere"),
        (_patches, "agent:reviewer file:agents.md source:trait is:clean confidence:>80 seen:3 asked",
         "agent:other file:claude source:rule is:conflict confidence:<80 seen:>3 project:shop nowhere"),
        (_sessions, "status:working project:shop host:claude branch:main tool:bash is:failed is:refused"
         " prompts:>5 last:<2h build",
         "status:idle project:bank host:codex branch:dev tool:edit is:told prompts:<6 last:>2h"
         " agent:x nowhere"),
    ],
    ids=["agents", "beliefs", "patches", "sessions"],
)  # fmt: skip
def test_each_field_finds_and_leaves_out(shown: Any, fits: str, fits_not: str) -> None:
    assert shown(fits)
    for part in fits_not.split():
        assert shown(part) == (), part
        assert shown(f"-{part}"), part


def test_a_line_of_the_history_has_words_only() -> None:
    entry = PatchItem("h1", None, entry={"sentence": "Applied a block"})
    view = list_view.filtered(PatchesView(entries=(entry,), tab="history"), "applied")
    assert view.items == (entry,)
    for field in filter_fields.PATCHES:
        assert list_view.filtered(view, field.example).items == ()


@pytest.mark.parametrize("place", filter_fields.PANES)
def test_each_example_of_the_help_is_understood_and_in_the_docs(place: str) -> None:
    page = filter_page.page()
    for field in filter_fields.PANES[place]:
        assert filters.parse(field.example, NOW_MS, filter_fields.PANES[place]).problems == ()
        assert f"`{field.example}`" in page
