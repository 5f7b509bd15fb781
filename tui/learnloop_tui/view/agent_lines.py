"""How agents look as lines: the table's rows, one agent's page, and the turns behind a figure. Pure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from learnloop.faces import agent_page
from learnloop.faces.agent_page import FIGURES, counts
from learnloop_tui.view import detail, text
from learnloop_tui.view.page_parts import block, draw, message, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.models.agent import AgentPerformance, Interval
    from learnloop.service.profile.judged_turns import JudgedTurn
    from learnloop_tui.view.agent_state import AgentItem, AgentsView, FigureTurns
    from learnloop_tui.view.text import Line, Piece

_HEADS = {
    "agent": "agent", "runs": "runs", "turns": "turns", "corrected": "wrong", "undone": "left",
    "share": "share", "between": "range", "weeks": "weeks",
}  # fmt: skip
_WIDTHS = {"runs": 6, "turns": 6, "corrected": 6, "undone": 6, "share": 8}
_BAR, _SPARK, _NAME = 12, 7, 12
_PLACE_FROM = 24
"""From which width of the name on the project is beside it."""


class Cell(NamedTuple):
    """A column as it fits."""

    column: str
    width: int


def columns(width: int) -> list[Cell]:
    """The columns that a width has room for; the name takes what is left."""
    cells = [Cell(name, wide) for name, wide in _WIDTHS.items()]
    left = width - 2 - sum(cell.width for cell in cells)
    for name, wide in (("between", _BAR), ("weeks", _SPARK)):
        if left - wide >= _NAME:
            cells.append(Cell(name, wide))
            left -= wide
    return [Cell("agent", max(4, left)), *cells]


def column_at(x: int, width: int) -> str:
    """The column at a place of a line, for the mouse."""
    at = 2
    for cell in columns(width):
        at += cell.width
        if x < at:
            return cell.column
    return ""


def header(view: AgentsView, width: int) -> Line:
    """The heads of the columns, an arrow at the one that sorts."""
    pieces: list[Piece] = [("  ", "label")]
    for cell in columns(width):
        mark = ("▾" if view.down else "▴") if cell.column == view.column else ""
        head, look = _HEADS[cell.column] + mark, "strong" if mark else "label"
        is_left = cell.column in ("agent", "between", "weeks")
        gap = " " if is_left and cell.column != "agent" else ""  # words behind a column of numbers
        pieces.append((gap + text.fit(head, cell.width - len(gap), right=not is_left), look))
    return tuple(pieces)


def row(item: AgentItem, width: int, _marked: bool, _fresh: bool) -> Line:
    """An agent: counts, the share of corrected turns, between what it lies, invocations by week."""
    agent = item.figures
    counts = {"runs": agent.total_invocations, "turns": agent.turns, "corrected": agent.revision_count,
              "undone": agent.cancellation_count}  # fmt: skip
    pieces: list[Piece] = [(" ", "text")]
    for cell in columns(width + 1):
        if cell.column == "agent":
            pieces += _named(item, cell.width)
        elif cell.column == "share":
            pieces.append((text.fit(agent.corrected_words, cell.width, right=True), _look(agent)))
        elif cell.column == "between":
            pieces += [
                (" ", "text"),
                *bar(agent.corrected_interval, agent.corrected_rate, cell.width - 1, _look(agent)),
            ]
        elif cell.column == "weeks":
            pieces.append((" " + agent_page.spark(agent.series, cell.width - 1), "accent"))
        else:
            count = counts[cell.column]
            pieces.append((text.fit(f"{count:,}", cell.width, right=True), "text" if count else "muted"))
    return tuple(pieces)


def _named(item: AgentItem, width: int) -> Iterator[Piece]:
    """The name, and where it worked if the table is split."""
    agent, where = item.figures, item.place
    if not where or width < _PLACE_FROM:
        words = f"{agent.agent_name} {where}" if where else agent.agent_name
        yield (text.fit(words, width), "text")
        return
    name = min(text.width(text.line(agent.agent_name)), width - 12)
    yield (text.fit(agent.agent_name, name), "text")
    yield (text.fit(f" {where}", width - name), "muted")


def _look(agent: AgentPerformance) -> str:
    """Good or bad only where even the doubtful end of the interval is on that side of a half."""
    interval = agent.corrected_interval
    if interval is None or not agent.has_share:
        return "muted"
    return "good" if interval.high < 0.5 else "bad" if interval.low >= 0.5 else "warn"


def bar(interval: Interval | None, share: float | None, cells: int, look: str) -> Iterator[Piece]:
    """From 0 to 100 %: ├ where the interval begins, ● the share, ┤ where it ends."""
    if interval is None or share is None:
        yield ("·" * cells, "label")
        return
    low, at, high = (round(value * (cells - 1)) for value in (interval.low, share, interval.high))
    drawn = ["─" if low <= place <= high else "·" for place in range(cells)]
    drawn[low], drawn[high] = "├", "┤"
    drawn[at] = "●"
    start, end = min(low, at), max(high, at) + 1
    yield ("".join(drawn[:start]), "label")
    yield ("".join(drawn[start:end]), look)
    yield ("".join(drawn[end:]), "label")


def page(item: AgentItem, width: int, now_ms: int) -> list[Line]:
    """Everything there is to read about one agent."""
    when = partial(detail.ago, now_ms=now_ms)
    return draw(agent_page.agent(item.figures, when, item.place, "enter: the prompts behind"), width)


def behind(item: AgentItem, turns: FigureTurns, width: int, now_ms: int) -> list[Line]:
    """The turns behind a figure, each with its prompt, what was said of it, and why that counts."""
    width = min(width, text.READABLE)
    glyph, _, name = FIGURES[turns.figure]
    named = f" {glyph} {text.cut(item.figures.agent_name, 30)}: {name}"
    number = f"({[*FIGURES].index(turns.figure) + 1}/{len(FIGURES)})"
    lines: list[Line] = [((f"{named} {number}", "strong"),), (("  f next figure · esc back", "label"),)]
    if not turns.turns:
        lines += [(), (("  No turn is kept for this figure.", "muted"),)]
    for judged in turns.turns:
        lines += _judged(judged, width, now_ms)
    count = counts(item.figures)[turns.figure]
    if count > len(turns.turns) > 0:
        lines += [(), ((f"  and {count - len(turns.turns):,} more, older or not kept any more", "muted"),)]
    return lines


def _judged(judged: JudgedTurn, width: int, now_ms: int) -> Iterator[Line]:
    turn, feedback = judged
    yield ()
    folder = turn.project.rstrip("/").rpartition("/")[2]
    when = " · ".join((detail.ago(turn.started, now_ms), folder, turn.host, turn.end))
    yield ((f" {text.cut(when, width - 2)}", "muted"),)
    yield from signed(" ❯ ", "accent", turn.prompt or "(no prompt was seen)", width - 1, limit=5)
    if feedback is not None:
        yield from signed(" ❝ ", "quote", feedback.user_message or "(no words)", width - 1, "quote", 5)
        why = f"{feedback.feedback_category} {feedback.confidence:.2f}: {feedback.reason}"
        yield from block(why, width, "label", indent=3, limit=3)


def nothing(query: str, hooked: bool) -> list[Line]:
    """An empty table."""
    if query:
        hints = [f"No agent contains “{text.cut(query, 40)}”.", "esc shows all."]
    else:
        hints = ["Every agent and subagent is listed here once it has worked: how its work went,",
                "and where it goes wrong."]  # fmt: skip
        hints.append(
            "Give your agent a task." if hooked else "In the Inbox, i installs hooks, b reads old sessions."
        )
    return message("No match" if query else "No agent was at work yet", hints)
