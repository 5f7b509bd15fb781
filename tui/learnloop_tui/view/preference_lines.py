"""How beliefs look as lines: the list's rows, and the page with the evidence of one. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.faces.beliefs import GROUPS, Believed, State, folder
from learnloop.service.id_prefix import shown
from learnloop_tui.view import detail, sentence_rows, text
from learnloop_tui.view.page_parts import block, heading, message, signed
from learnloop_tui.view.preference_state import BeliefHead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from learnloop.models.preferences import Side, Signal
    from learnloop_tui.view.text import Line

GLYPHS: dict[State, tuple[str, str]] = {
    "open": ("?", "warn"),
    "told": ("●", "good"),
    "dropped": ("✗", "muted"),
    "unknown": ("·", "label"),
}
_QUOTED = (" ❝ ", "quote")
_WHERE, _COUNT = 13, 5
_WHERE_FROM = 46
"""From which width on it is shown where a belief applies."""


def header(width: int) -> Line:
    """The heading above the columns."""
    where = text.fit("where", _WHERE) if width > _WHERE_FROM else ""
    believed = text.fit("what is believed", sentence_rows.room(width - 1, _tail_cells(width - 1)))
    return ((f"    {believed} {where}{text.fit('seen', _COUNT)}", "label"),)


def row(item: Believed | BeliefHead, width: int, _marked: bool, _fresh: bool, most: int) -> list[Line]:
    """A belief in at most so many lines: state, statement, where it applies, from how many remarks."""
    if isinstance(item, BeliefHead):
        return [((f"  {GROUPS[item.group]}", "strong"), (f" {item.held:,}", "muted"))]
    where = text.fit(item.where, _WHERE - 1) + " " if width >= _WHERE_FROM else ""
    tail = ((where, "muted"), (text.fit(f"×{item.seen}" if item.seen > 1 else "", _COUNT), "muted"))
    look = "muted" if item.state in ("dropped", "unknown") else "text"
    return sentence_rows.row(item.statement, look, width, most, glyph=GLYPHS[item.state], tail=tail)


def height(item: Believed | BeliefHead, width: int) -> int:
    """How many lines an item takes where it may take two."""
    if isinstance(item, BeliefHead):
        return 1
    return sentence_rows.height(item.statement, width, _tail_cells(width))


def _tail_cells(width: int) -> int:
    return _COUNT + (_WHERE if width >= _WHERE_FROM else 0)


def page(item: Believed, width: int, now_ms: int) -> list[Line]:
    """Everything there is to read about a belief."""
    width = min(width, text.READABLE)
    glyph, look = GLYPHS[item.state]
    shown: list[Line] = [*block(item.statement, width, "strong"), ()]
    shown += [((f" {glyph} ", look), (text.cut(item.standing, width - 4), look))]
    shown += [((f"   {text.cut(f'{GROUPS[item.group]} · {item.where}', width - 4)}", "muted"),)]
    return [*shown, *_more(item, width, now_ms), *_keys(item, width)]


def _more(item: Believed, width: int, now_ms: int) -> Iterable[Line]:
    if item.group == "trait":
        return _sides(item, width, now_ms)
    if item.group == "contradiction":
        return _both(item, width, now_ms)
    return _examples(item, width)


def _sides(item: Believed, width: int, now_ms: int) -> Iterator[Line]:
    trait = item.belief
    if trait.conflict:
        yield ()
        yield from block("Both have been asked for: p chooses one.", width, "warn")
    for side in trait.sides:
        signals: tuple[Signal, ...] = trait.evidence.get(side, ())
        yield from heading(f"{side.replace('_', ' ')} ({len(signals)})", width)
        if not signals:
            yield from block("nobody asked for that", width, "muted")
        for signal in signals[:6]:
            yield from signed(*_QUOTED, signal.quote, width - 1, "quote", 4)
            words = f"{detail.ago(signal.ts, now_ms)} · {folder(signal.project)}"
            yield ((f"   {text.cut(words, width - 4)}", "label"),)


def _both(item: Believed, width: int, now_ms: int) -> Iterator[Line]:
    yield ()
    yield from block(item.belief.reason, width, "warn")
    sides: tuple[tuple[str, Side], ...] = (("Older", item.belief.one), ("Newer", item.belief.other))
    for name, side in sides:
        yield from heading(f"{name}: {shown(side.lesson_id)} {side.status}", width)
        yield from block(side.statement, width, "text")
        if side.quote:
            yield from signed(*_QUOTED, side.quote, width - 1, "quote", 4)
        words = " · ".join(
            filter(None, (detail.ago(side.ts, now_ms) if side.ts else "", folder(side.project)))
        )
        yield ((f"   {text.cut(words, width - 4)}", "label"),)


def _examples(item: Believed, width: int) -> Iterator[Line]:
    examples = item.belief.examples
    if examples:
        yield from heading("Said", width)
    for example in examples[:8]:
        yield from signed(*_QUOTED, example, width - 1, "quote", 4)
    if getattr(item.belief, "gone", False):
        yield ()
        yield from block("The project does not say so any more.", width, "warn")


def _keys(item: Believed, width: int) -> Iterator[Line]:
    words = {
        "contradiction": "p chooses one of them",
        "recurring": "it becomes a draft in the Inbox once it is said again",
    }.get(item.group, "p keeps · e other words · r drops · z takes it back")
    if words:
        yield ()
        yield from block(words, width, "label")


def nothing(query: str) -> list[Line]:
    """An empty list."""
    title, hints = "No match", [f"Nothing believed contains “{text.cut(query, 40)}”.", "esc shows all."]
    if not query:
        title, hints = "Nothing is believed yet", [
            "What your remarks to agents say of your ways, and what projects have in common, is listed here",
            "once it was seen often enough; none of it is recalled before you confirm it with p.",
            "learn add “…” states a rule outright; in the Inbox, b reads old sessions.",
        ]  # fmt: skip
    return message(title, hints)
