"""How patches look as lines: the list's rows, one patch's page, and diffs. Pure."""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING

from learnloop.keymap import commands
from learnloop.service.id_prefix import shown
from learnloop_tui.view import detail, sentence_rows, text
from learnloop_tui.view.page_parts import block, field, heading, message

if TYPE_CHECKING:
    from collections.abc import Iterator

    from learnloop.models.patch import Patch
    from learnloop.service.patches.preview import FilePreview, TargetStatus
    from learnloop_tui.view.patch_state import PatchDetail, PatchesView, PatchItem
    from learnloop_tui.view.text import Line, Piece

STANDINGS = {
    "clean": ("●", "good", "applied"),
    "changed": ("●", "accent", "applied; the file was edited elsewhere since"),
    "outdated": ("◐", "warn", "has older words: a brings the new ones"),
    "conflict": ("✎", "bad", "its block was edited by hand"),
    "removed": ("○", "warn", "its block was taken out by hand"),
    "missing": ("✗", "bad", "the file is gone"),
    "planned": ("○", "muted", "would be patched"),
}
"""The state of a patch in a file: a glyph, its look, and words."""
_SOURCES = {
    "failure": "theme", "rule": "rule", "trait": "trait", "lesson": "lesson", "correction": "came back",
    "import": "import", "teach": "asked for", "facts": "a fact of the project",
}  # fmt: skip
SIDE_BY_SIDE = 96
"""From this width on diffs are side by side."""
_NAMES, _FILES = 14, 7


def header(view: PatchesView, width: int) -> Line:
    """The heads of the columns."""
    if view.tab == "history":
        return (
            (f"  {text.fit('when', 9)} {text.fit('by', 9)} {text.fit('did', max(8, width - 22))}", "label"),
        )
    block = text.fit("block", sentence_rows.room(width - 1, _NAMES + _FILES))
    return ((f"    {block} {text.fit('for', _NAMES)}{text.fit('files', _FILES)}", "label"),)


def row(item: PatchItem, width: int, *, marked: bool, now_ms: int, most: int) -> list[Line]:
    """A patch in at most so many lines: mark, state, what it says, whom it is for, in how many files."""
    if item.patch is None:
        return [_entry(item, width, now_ms)]
    patch = item.patch
    glyph, look, _ = STANDINGS.get(item.standing, ("○", "muted", ""))
    if patch.state == "dismissed":
        glyph, look = "✗", "muted"
    dim = "muted" if patch.state == "dismissed" else "strong" if marked else "text"
    tail = _tail(item, patch)
    return sentence_rows.row(patch.gist, dim, width, most, glyph=(glyph, look), tail=tail, marked=marked)


def height(item: PatchItem, width: int) -> int:
    """How many lines an item takes where it may take two."""
    return 1 if item.patch is None else sentence_rows.height(item.patch.gist, width, _NAMES + _FILES)


def _tail(item: PatchItem, patch: Patch) -> list[Piece]:
    applied, count = (
        sum(target.state in ("applied", "conflict") for target in patch.targets),
        len(patch.targets),
    )
    files = f"{applied} of {count}" if applied else f"{count or 'none'}"
    look = "text" if applied else "muted" if count else "warn"
    return [(text.fit(item.audience, _NAMES - 1) + " ", "muted"), (text.fit(files, _FILES), look)]


def _entry(item: PatchItem, width: int, now_ms: int) -> Line:
    entry = item.entry or {}
    when = text.fit(detail.short_ago(str(entry.get("ts", "")), now_ms), 9)
    by = text.fit(str(entry.get("by", "")), 9)
    return (
        ((f" {when} ", "muted")), ((f"{by} ", "label")),
        (text.fit(str(entry.get("sentence", "")), max(8, width - 22)), "text"),
    )  # fmt: skip


def page(item: PatchItem, patch_detail: PatchDetail | None, width: int, now_ms: int) -> list[Line]:
    """The diff of a patch, and below it why it is proposed and its files."""
    if item.patch is None:
        return list(_history(item, width, now_ms))
    patch = item.patch
    lines: list[Line] = [*_facts(patch, item.audience, width)]
    if patch_detail is None or patch_detail.id != patch.id:
        return [*lines, (), ((" Looking …", "wait"),)]
    if not any(preview.diff for preview in patch_detail.previews):
        lines += [(), *block(patch.block, width, "strong")]
    if not patch_detail.statuses:
        lines += _files(patch_detail, item.audience, width)
    lines += _diffs(patch_detail, width)
    lines += _why(patch, patch_detail, width)
    return [*lines, *(_files(patch_detail, item.audience, width) if patch_detail.statuses else ())]


def _facts(patch: Patch, audience: str, width: int) -> Iterator[Line]:
    """What one line says of it, and a warning where the words are not the person's."""
    where = "below the title" if patch.placement == "prepend" else "at the end"
    facts = " · ".join((f"for {audience}", where, *(("reworded",) if patch.edited else ())))
    yield ((f" {patch.state}", "accent"), ("  " + text.cut(facts, width - 12), "muted"))
    if patch.trust != "user":
        words = f"⚠ not your words ({patch.trust}): read all of them first"
        yield from block(words, width, "warn")


def _why(patch: Patch, patch_detail: PatchDetail, width: int) -> Iterator[Line]:
    yield from heading("Why", width)
    yield from field("reason", patch.reason, width)
    count = "once" if patch.evidence_count == 1 else f"{patch.evidence_count} times"
    yield from field("said", f"{count} ({_SOURCES.get(patch.source, patch.source)})", width)
    for quote in patch.quotes[:3]:
        yield from block(f"❝ {quote} ❞", width, "quote", indent=3, limit=3)
    if patch.reason_dismissed:
        yield from field("dismissed", patch.reason_dismissed, width)
    if patch_detail.outcome:
        yield from field("helps", patch_detail.outcome, width)
    yield from field("patch", shown(patch.id), width)


def _files(patch_detail: PatchDetail, project: str, width: int) -> Iterator[Line]:
    yield from heading("Files", width)
    key = commands.BY_ID["scope"].key
    if patch_detail.lacks:
        name = patch_detail.lacks.rpartition("/")[2]
        key, words = commands.BY_ID["new"].key, f"no {name} in {project} yet: "
        yield ((f" {words}", "warn"), (key, "key"), (" creates it", "warn"))
    elif not patch_detail.statuses:
        yield ((" no file of an agent was found for it: ", "warn"), (key, "key"), (" chooses", "warn"))
    for status in patch_detail.statuses:
        yield from _file(status, width)
    others = [status for status in patch_detail.candidates if not status.refusal]
    if others:
        yield ((f" {len(others)} more can be ticked: ", "muted"), (f" {key} ", "key"))
    for refused in [status for status in patch_detail.candidates if status.refusal][:5]:
        yield from (((f" ! {line}", "warn"),) for line in text.wrap(refused.refusal, width - 4))


def _file(status: TargetStatus, width: int) -> Iterator[Line]:
    glyph, look, words = STANDINGS[status.standing]
    yield ((f" {glyph} ", look), (_path(status.path, width - 4), "text"))
    if status.readers not in ((), ("claude",)):
        yield from block(f"read by {', '.join(status.readers)}", width, "muted", indent=3)
    explanation = status.note or words
    if status.standing not in ("clean", "planned") or status.note:
        yield from block(explanation, width, look, indent=3)


def _path(path: str, cells: int) -> str:
    """A path cut at its beginning: its end tells files apart."""
    path = text.line(path)
    while text.width(path) > cells and "/" in path[1:]:
        path = "…/" + path.removeprefix("…/").partition("/")[2]
    return text.cut(path, cells)


def _diffs(patch_detail: PatchDetail, width: int) -> Iterator[Line]:
    for preview in patch_detail.previews:
        for result in preview.results:
            if result.sides:
                yield from heading("Conflict: its block was edited by hand", width)
                yield from three_sides(result.sides, width)
                yield ((" v", "key"), (" decides: keep, remove, or restore the backup", "muted"))
            elif result.error and not result.ok:
                yield from heading("Not possible", width)
                words = f"{result.error}. {result.hint}" if result.hint else result.error
                yield from block(words, width, "bad")
    changed = [preview for preview in patch_detail.previews if preview.diff]
    if changed:
        yield from heading("Reverting would" if patch_detail.reverting else "Applying would", width)
    for preview in changed:
        yield from diff(preview, width)


def diff(preview: FilePreview, width: int) -> Iterator[Line]:
    """One file's diff: side by side where there is room."""
    yield ((f" {_path(preview.path, width - 2)}", "brand"),)
    yield from _beside(preview, width) if width >= SIDE_BY_SIDE else _unified(preview.diff, width)
    yield ()


_ID = re.compile(r"(<!-- learnloop:[a-z2-7]{6})[a-z2-7]+/[0-9a-f]{6} -->")
_MARKS = ("<!-- learnloop:", "<!-- /learnloop:")
"""What blocks stand between: nothing to read, so a line of it is enough."""


def _unified(diff_text: str, width: int) -> Iterator[Line]:
    looks = {"+": "good", "-": "bad", "@": "accent", "\\": "muted"}
    for line in (_ID.sub(r"\1… -->", line) for line in diff_text.split("\n")[2:-1]):
        if line[1:].startswith(_MARKS):
            yield ((f" {text.cut(line, width - 2)}", looks.get(line[:1], "muted")),)
            continue
        for at, part in enumerate(text.wrap(line[1:], width - 3) if line[:1] in "+- " else [line[1:]]):
            sign = line[:1] if not at else " "
            yield ((f" {sign}{part}", looks.get(line[:1], "muted")),)


def _beside(preview: FilePreview, width: int) -> Iterator[Line]:
    half = (width - 5) // 2
    for what, left, right in preview.rows:
        if what == "@":
            yield (
                (f" {text.fit(left, half)}", "accent"),
                (" │ ", "label"),
                (text.fit(right, half), "accent"),
            )
            continue
        for before, after in zip_longest(text.wrap(left, half), text.wrap(right, half), fillvalue=""):
            yield (
                (f" {text.fit(before, half)}", "bad" if what in "-~" else "muted"), (" │ ", "label"),
                (text.fit(after, half), "good" if what in "+~" else "muted"),
            )  # fmt: skip


SIDES = {"before": ("Before", "muted"), "ours": ("Ours", "accent"), "now": ("Now", "warn")}


def three_sides(sides: dict[str, str], width: int) -> Iterator[Line]:
    """Before, ours and now: in columns where there is room, else one below the other."""
    if width < SIDE_BY_SIDE - 20:
        for name, (title, look) in SIDES.items():
            yield ((f" {title}", look),)
            yield from block(sides.get(name) or "(nothing)", width, "text", indent=3)
        return
    third = (width - 8) // 3
    columns = [text.wrap(sides.get(name) or "(nothing)", third) for name in SIDES]
    heads = [(text.fit(title, third), look) for title, look in SIDES.values()]
    rows = ([(text.fit(cell, third), "text") for cell in row] for row in zip_longest(*columns, fillvalue=""))
    for first, *others in (heads, *rows):
        yield ((" ", "text"), first, *(piece for cell in others for piece in ((" │ ", "label"), cell)))


def _history(item: PatchItem, width: int, now_ms: int) -> Iterator[Line]:
    entry = item.entry or {}
    yield from block(str(entry.get("sentence", "")), width, "strong")
    yield ()
    yield from field("when", detail.ago(str(entry.get("ts", "")), now_ms), width)
    yield from field("by", str(entry.get("by", "")), width)
    for result in entry.get("results", ()):
        yield ()
        yield ((f" {_path(str(result.get('path', '')), width - 2)}", "text"),)
        yield from field("did", str(result.get("did", "")), width)
        for name in ("sha256_before", "sha256_after", "backup"):
            if result.get(name):
                yield from field(
                    name.removeprefix("sha256_"), str(result[name])[: max(12, width - 14)], width
                )


def nothing(tab: str, query: str, why: str = "") -> list[Line]:
    """An empty tab."""
    if query:
        return message("No match", [f"Nothing here contains “{text.cut(query, 40)}”."], [_offered("escape")])
    title, hint = {
        "proposed": ("Nothing to propose", f"{why[:1].upper()}{why[1:]}."),
        "active": ("No patch is applied", "Apply a proposal, and it is listed here with its files."),
        "dismissed": ("Nothing was dismissed", "What you turn down is listed here, and stays down."),
        "history": (
            "Nothing happened yet",
            "Everything that is proposed, applied and reverted is listed here.",
        ),
    }[tab]
    needs_lesson = tab == "proposed" and "learn triage" in hint
    return message(title, [hint], [_offered("triage" if needs_lesson else "view")])


def _offered(command_id: str) -> tuple[str, str]:
    command = commands.BY_ID[command_id]
    return command.key, command.title
