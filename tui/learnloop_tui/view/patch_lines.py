"""How patches look as lines: the list's rows, one patch's page, and diffs. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.keymap import commands
from learnloop_tui.view import detail, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from learnloop.models.patch import Patch
    from learnloop.service.patches.patches import FilePreview, TargetStatus
    from learnloop_tui.view.patch_state import PatchDetail, PatchesView, PatchItem
    from learnloop_tui.view.text import Line, Piece

STANDINGS = {
    "clean": ("●", "good", "applied"),
    "changed": ("●", "accent", "applied; the file was edited elsewhere since"),
    "outdated": ("◐", "warn", "holds older words: a brings the new ones"),
    "conflict": ("✎", "bad", "its block was edited by hand"),
    "removed": ("○", "warn", "its block was taken out by hand"),
    "missing": ("✗", "bad", "the file is gone"),
    "planned": ("○", "muted", "would be patched"),
}
"""How a patch stands in a file: a glyph, its look, and words."""
_SOURCES = {
    "failure": "theme", "rule": "rule", "trait": "trait", "lesson": "lesson", "correction": "came back",
    "import": "import", "teach": "asked for",
}  # fmt: skip
SIDE_BY_SIDE = 96
"""From this width on diffs stand side by side."""
_NAMES = 14
_LABEL = 10


def header(view: PatchesView, width: int) -> Line:
    """The heads of the columns."""
    if view.tab == "history":
        return (
            (f"  {text.fit('when', 9)} {text.fit('by', 9)} {text.fit('did', max(8, width - 22))}", "label"),
        )
    tail = f" {text.fit('for', _NAMES)} files sure"
    return (("    " + text.fit("block", max(8, width - 4 - text.width(tail))) + tail, "label"),)


def row(item: PatchItem, width: int, *, marked: bool, now_ms: int) -> Line:
    """A patch: mark, state, what it says, whom it is for, in how many files it is, confidence."""
    if item.patch is None:
        return _entry(item, width, now_ms)
    one = item.patch
    glyph, look, _ = STANDINGS.get(item.standing, ("○", "muted", ""))
    if one.state == "dismissed":
        glyph, look = "✗", "muted"
    applied = sum(target.state in ("applied", "conflict") for target in one.targets)
    tail: list[Piece] = [(f" {text.fit(audience(one), _NAMES)}", "muted")]
    tail += [(f" {applied:>2}/{len(one.targets):<2}", "text" if applied else "muted")]
    tail += [(f" {round(one.confidence * 100):>3} ", "good" if one.confidence >= 0.9 else "accent")]
    left = max(8, width - sum(text.width(part) for part, _ in tail) - 4)
    said = one.block.removeprefix("- ")
    head = (("◆" if marked else " ", "accent"), (glyph, look), (" ", "text"))
    dim = "muted" if one.state == "dismissed" else "strong" if marked else "text"
    return (*head, (text.fit(said, left) + " ", dim), *tail)


def _entry(item: PatchItem, width: int, now_ms: int) -> Line:
    entry = item.entry or {}
    when = text.fit(detail.short_ago(str(entry.get("ts", "")), now_ms), 9)
    by = text.fit(str(entry.get("by", "")), 9)
    return (
        ((f" {when} ", "muted")), ((f"{by} ", "label")),
        (text.fit(str(entry.get("sentence", "")), max(8, width - 22)), "text"),
    )  # fmt: skip


def audience(patch: Patch) -> str:
    """Whom a patch is for, in few words."""
    where = patch.project.rstrip("/").rpartition("/")[2]
    if patch.audience == "agent":
        return patch.agent
    return where or "main agent" if patch.audience == "main" else "all agents"


def page(item: PatchItem, card: PatchDetail | None, width: int, now_ms: int) -> list[Line]:
    """All about a patch, its diff last."""
    if item.patch is None:
        return list(_history(item, width, now_ms))
    one = item.patch
    made: list[Line] = [((f" {line}", "strong"),) for line in text.wrap(one.block, width - 2)]
    made += [(), *_facts(one, card, width)]
    made += _quotes(one, width)
    if card is None or card.id != one.id:
        return [*made, (), ((" Looking …", "wait"),)]
    made += _files(card, width)
    made += _diffs(card, width)
    return made


def _facts(one: Patch, card: PatchDetail | None, width: int) -> Iterator[Line]:
    where = "below the title" if one.placement == "prepend" else "at the end"
    facts = " · ".join((one.id[:6], audience(one), where, *(("reworded",) if one.edited else ())))
    yield ((f" {one.state}", "accent"), ("  " + text.cut(facts, width - 12), "muted"))
    yield from _field("reason", one.reason, width)
    count = "once" if one.evidence_count == 1 else f"{one.evidence_count} times"
    told = f"{_SOURCES.get(one.source, one.source)}, seen {count}, confidence {one.confidence:.2f}"
    yield from _field("evidence", told, width)
    if one.reason_dismissed:
        yield from _field("dismissed", one.reason_dismissed, width)
    if card is not None and card.id == one.id and card.outcome:
        yield from _field("helps", card.outcome, width)


def _quotes(one: Patch, width: int) -> Iterator[Line]:
    for quote in one.quotes[:3]:
        for line in text.wrap(f"❝ {quote} ❞", width - 4, limit=3):
            yield ((f"   {line}", "quote"),)


def _files(card: PatchDetail, width: int) -> Iterator[Line]:
    yield from heading("Files", width)
    if not card.statuses:
        yield ((" no file of an agent was found for it: t chooses", "warn"),)
    for one in card.statuses:
        yield from _file(one, width)
    others = [one for one in card.candidates if not one.refusal]
    if others:
        yield ((f" {len(others)} more can be ticked: ", "muted"), (" t ", "key"))
    for refused in [one for one in card.candidates if one.refusal][:5]:
        yield from (((f" ! {line}", "warn"),) for line in text.wrap(refused.refusal, width - 4))


def _file(one: TargetStatus, width: int) -> Iterator[Line]:
    glyph, look, words = STANDINGS[one.standing]
    yield ((f" {glyph} ", look), (_path(one.path, width - 4), "text"))
    told = one.note or words
    if one.standing not in ("clean", "planned") or one.note:
        yield from (((f"   {line}", look),) for line in text.wrap(told, width - 4))


def _path(path: str, cells: int) -> str:
    """A path's end is what tells it: the beginning is cut."""
    path = text.line(path)
    while text.width(path) > cells and "/" in path[1:]:
        path = "…/" + path.removeprefix("…/").partition("/")[2]
    return text.cut(path, cells)


def _diffs(card: PatchDetail, width: int) -> Iterator[Line]:
    for one in card.previews:
        for result in one.results:
            if result.sides:
                yield from _sides(result.sides, width)
            elif result.error and not result.ok:
                yield from heading("Not possible", width)
                told = f"{result.error}. {result.hint}" if result.hint else result.error
                yield from (((f" {line}", "bad"),) for line in text.wrap(told, width - 2))
    changed = [one for one in card.previews if one.diff]
    if changed:
        yield from heading("Reverting would" if card.reverting else "Applying would", width)
    for one in changed:
        yield from diff(one, width)


def diff(one: FilePreview, width: int) -> Iterator[Line]:
    """One file's diff: side by side where there is room."""
    yield ((f" {_path(one.path, width - 2)}", "brand"),)
    yield from _beside(one, width) if width >= SIDE_BY_SIDE else _unified(one.diff, width)
    yield ()


def _unified(told: str, width: int) -> Iterator[Line]:
    looks = {"+": "good", "-": "bad", "@": "accent", "\\": "muted"}
    for line in told.split("\n")[2:-1]:
        for at, part in enumerate(text.wrap(line[1:], width - 3) if line[:1] in "+- " else [line[1:]]):
            sign = line[:1] if not at else " "
            yield ((f" {sign}{part}", looks.get(line[:1], "muted")),)


def _beside(one: FilePreview, width: int) -> Iterator[Line]:
    half = (width - 5) // 2
    for what, left, right in one.rows:
        if what == "@":
            yield (
                (f" {text.fit(left, half)}", "accent"),
                (" │ ", "label"),
                (text.fit(right, half), "accent"),
            )
            continue
        ones, others = _wrapped(left, half), _wrapped(right, half)
        for at in range(max(len(ones), len(others))):
            one_side = text.fit(ones[at] if at < len(ones) else "", half)
            other = text.fit(others[at] if at < len(others) else "", half)
            yield (
                (f" {one_side}", "bad" if what in "-~" else "muted"), (" │ ", "label"),
                (other, "good" if what in "+~" else "muted"),
            )  # fmt: skip


def _wrapped(line: str, width: int) -> list[str]:
    return text.wrap(line, width) if line else [""]


def _sides(sides: dict[str, str], width: int) -> Iterator[Line]:
    yield from heading("Conflict: its block was edited by hand", width)
    yield from three_sides(sides, width)
    yield ((" v", "key"), (" decides: keep, remove, or restore the backup", "muted"))


SIDES = {"before": ("Before", "muted"), "ours": ("Ours", "accent"), "now": ("Now", "warn")}


def three_sides(sides: dict[str, str], width: int) -> Iterator[Line]:
    """Before, ours and now: in columns where there is room, else one below the other."""
    if width < SIDE_BY_SIDE - 20:
        for name, (title, look) in SIDES.items():
            yield ((f" {title}", look),)
            for line in text.wrap(sides.get(name) or "(nothing)", width - 4):
                yield ((f"   {line}", "text"),)
        return
    third = (width - 8) // 3
    columns = [text.wrap(sides.get(name) or "(nothing)", third) for name in SIDES]
    yield tuple(_joined([(text.fit(title, third), look) for title, look in SIDES.values()]))
    for at in range(max(map(len, columns))):
        cells = [(text.fit(column[at] if at < len(column) else "", third), "text") for column in columns]
        yield tuple(_joined(cells))


def _joined(cells: Sequence[Piece]) -> Iterable[Piece]:
    yield (" ", "text")
    for at, cell in enumerate(cells):
        if at:
            yield (" │ ", "label")
        yield cell


def _history(item: PatchItem, width: int, now_ms: int) -> Iterator[Line]:
    entry = item.entry or {}
    yield from (((f" {line}", "strong"),) for line in text.wrap(str(entry.get("sentence", "")), width - 2))
    yield ()
    yield from _field("when", detail.ago(str(entry.get("ts", "")), now_ms), width)
    yield from _field("by", str(entry.get("by", "")), width)
    for one in entry.get("results", ()):
        yield ()
        yield ((f" {_path(str(one.get('path', '')), width - 2)}", "text"),)
        yield from _field("did", str(one.get("did", "")), width)
        for name in ("sha256_before", "sha256_after", "backup"):
            if one.get(name):
                yield from _field(name.removeprefix("sha256_"), str(one[name])[: max(12, width - 14)], width)


def heading(title: str, width: int) -> Iterator[Line]:
    """A line above a part of the page."""
    yield ()
    yield ((f" {title} ", "brand"), ("─" * max(0, width - text.width(title) - 3), "label"))


def _field(label: str, value: str, width: int) -> Iterator[Line]:
    for at, line in enumerate(text.wrap(value, max(8, width - _LABEL - 2))):
        yield ((f" {text.fit('' if at else label, _LABEL)}", "label"), (line, "text"))


def nothing(tab: str, query: str) -> list[Line]:
    """An empty tab."""
    if query:
        return _message("No match", f"Nothing here contains “{text.cut(query, 40)}”.", ("escape",))
    told = {
        "proposed": (
            "Nothing to propose",
            "Approve a rule or promote a lesson: a block for it is offered here.",
        ),
        "active": ("No patch is applied", "Apply a proposal, and it stands here with its files."),
        "dismissed": ("Nothing was dismissed", "What you turn down stands here, and stays down."),
        "history": (
            "Nothing happened yet",
            "Everything that is proposed, applied and reverted is told here.",
        ),
    }[tab]
    return _message(*told, ("status",))


def _message(title: str, told: str, offered: Sequence[str]) -> list[Line]:
    made: list[Line] = [(), ((f"  {title}", "strong"),), (), ((f"  {told}", "muted"),), ()]
    for command_id in offered:
        command = commands.get(command_id)
        made.append((("  ", "text"), (text.fit(command.key, 6), "key"), (command.title, "muted")))
    return made
