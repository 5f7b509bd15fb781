"""Whole pages as lines: health, the first run, and what empty lists show."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from learnloop.keymap import commands
from learnloop_tui.view import charts, detail, text
from learnloop_tui.view.page_parts import block, heading, message

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from learnloop.service.health.check import Check
    from learnloop.service.health.health_report import Health
    from learnloop.service.sessions.recent_events import HookTimes
    from learnloop_tui.view.state import Pulse
    from learnloop_tui.view.text import Line

_TWO_COLUMNS = 110
"""From this width on the doctor is beside the facts."""
_LEVELS = {"ok": ("✓", "good"), "warn": ("!", "warn"), "fail": ("✗", "bad")}


def health(pulse: Pulse | None, checks: Sequence[Check] | None, width: int, now_ms: int) -> list[Line]:
    """The health pane."""
    if pulse is None:
        return [(), ((" Looking …", "wait"),)]
    if width < _TWO_COLUMNS:
        return [*_facts(pulse, width, now_ms), *_doctor(checks, width)]
    left = min(58, width // 2)
    return _side_by_side(
        _facts(pulse, left, now_ms), list(_doctor(checks, min(width - left - 2, text.READABLE))), left
    )


def _facts(pulse: Pulse, width: int, now_ms: int) -> list[Line]:
    report = pulse.health
    return [
        *_capture(report, pulse.hooked, width, now_ms),
        *_hooks(report.hooks, width),
        *charts.hook_times(report.hook_latencies, width),
        *_told(report, width),
        *_reading(report, width),
        *_errors(report, width, now_ms),
        *_storage(report, width),
        *_silent(report, width, now_ms),
        *_kept_aside(report, width),
        *_left_out(report, width),
        *_rules(pulse, width),
    ]


_MOST_RULES = 12


def _rules(pulse: Pulse, width: int) -> Iterator[Line]:
    """The rules that draft lessons: accepted of judged drafts; a poor one is offered to be muted."""
    if not pulse.rules:
        return
    yield from heading("Rules that draft", width)
    for rule in pulse.rules[:_MOST_RULES]:
        share = "–" if rule.share is None else f"{rule.share:.0%}"
        look = "muted" if rule.muted else "bad" if rule.is_poor else "text"
        words = " muted" if rule.muted else " poor: M mutes it on a draft" if rule.is_poor else ""
        counts = f"{rule.accepted:>4} of {rule.judged:<4} {share:>4}"
        yield (
            (f" {text.fit(rule.rule + words, max(10, width - text.width(counts) - 2))}", look),
            (counts, "muted"),
        )
        if rule.reasons:
            why = " · ".join(f"{reason} {count}" for reason, count in rule.reasons)
            yield ((f"   {text.cut(why, width - 4)}", "label"),)
    yield from block(pulse.threshold, width, "label", indent=1)


def _side_by_side(left: list[Line], right: list[Line], width: int) -> list[Line]:
    rows = []
    for left_line, other in zip_longest(left, right, fillvalue=()):
        gap = width + 2 - sum(text.width(part) for part, _ in left_line)
        rows.append((*left_line, (" " * gap, "text"), *other))
    return rows


def _capture(report: Health, hooked: bool, width: int, now_ms: int) -> Iterator[Line]:
    yield from heading("Capture", width)
    if report.last_capture:
        yield _fact("last capture", detail.ago(report.last_capture, now_ms), "good")
    else:
        yield _fact("last capture", "never", "warn")
    yield _fact(
        "hooks", "installed" if hooked else "not installed: i installs them", "good" if hooked else "warn"
    )
    recording, recalling = report.recording, report.recalling
    yield _fact("recording", "on" if recording else "off: learn on", "good" if recording else "warn")
    yield _fact("recall", "on" if recalling else "off: learn on --recall", "good" if recalling else "warn")


def _doctor(checks: Sequence[Check] | None, width: int) -> Iterator[Line]:
    yield from heading("Doctor", width)
    if checks is None:
        yield ((" Looking …", "wait"),)
        return
    for check in checks:
        glyph, look = _LEVELS[check.level]
        first, *rest = text.wrap(check.message, width - 20)
        yield ((f" {glyph} ", look), (text.fit(check.name, 14) + " ", "label"), (first, "text"))
        yield from (((" " * 18 + line, "text"),) for line in rest)
        if check.hint and check.level != "ok":
            yield from block(f"→ {check.hint}", width - 1, look, indent=18)


def _told(report: Health, width: int) -> Iterator[Line]:
    """What recall costs, and what comes of it."""
    yield from heading("What agents are told", width)
    yield from block(report.recall_cost.words, width, "text")


def _reading(report: Health, width: int) -> Iterator[Line]:
    """Where a model reads along, what today cost, what rests and why; nothing where it was never on."""
    if report.reading.is_used:
        yield from heading("A model reads along", width)
        for project, mode in report.reading.projects.items():
            yield _fact(mode, project)
        yield from block(report.reading.words, width, "warn" if report.reading.rests else "text", indent=1)


def _hooks(times: Iterable[HookTimes], width: int) -> Iterator[Line]:
    yield from heading("Hooks, latest events", width)
    yield ((f" {'event':<19} {'count':>7} {'P50':>8} {'P95':>8} {'errors':>7}", "label"),)
    for hook in times:
        errors = (f"{hook.errors:>8}", "bad" if hook.errors else "muted")
        counts = f" {text.fit(hook.event, 19)} {hook.count:>7,} {_ms(hook.p50_ms):>8} {_ms(hook.p95_ms):>8}"
        yield ((counts, "text"), errors)


def _errors(report: Health, width: int, now_ms: int) -> Iterator[Line]:
    if not report.hook_errors:
        return
    yield from heading("Hook errors of the last 7 days", width)
    for error in report.hook_errors[:8]:
        when = text.fit(detail.short_ago(error.ts, now_ms), 8)
        left = max(8, width - 32)
        pieces = ((f" {when} ", "muted"), (text.fit(error.event, 18) + " ", "label"))
        yield (*pieces, (text.cut(error.error, left), "bad"))


def _storage(report: Health, width: int) -> Iterator[Line]:
    yield from heading("Journal and store", width)
    yield _fact("journal", f"{report.journal_lines:,} lines, {_size(report.journal_bytes)}")
    yield _fact("spool", "empty" if not report.spool_files else f"{report.spool_files:,} files waiting")
    yield _fact("segments", f"{report.segments:,}, {_size(report.segment_bytes)}")
    total = sum(report.store_bytes.values())
    yield _fact("store", f"{len(report.store_bytes):,} files, {_size(total)}")
    if report.pending_decisions:
        yield _fact("verdicts", f"{report.pending_decisions:,} not ingested yet")
    generation = (
        "not published yet" if report.index_generation is None else f"generation {report.index_generation}"
    )
    current = report.index_current
    late = "" if current else f", the store is at {report.store_generation}"
    yield _fact("recall index", generation + late, "text" if current else "warn")


def _kept_aside(report: Health, width: int) -> Iterator[Line]:
    yield from heading("Quarantine", width)
    if not report.quarantine and not report.damage:
        yield ((" ✓ ", "good"), ("nothing unreadable", "text"))
    for damage in report.damage:
        yield from _remark("✗", damage, width, "bad")
    for quarantined in report.quarantine[:20]:
        words = f"{quarantined.source}: {quarantined.reason} ({_size(quarantined.bytes)})"
        yield from _remark("!", words, width, "warn")
    if len(report.quarantine) > 20:
        yield ((f"   and {len(report.quarantine) - 20} more", "muted"),)


def _remark(sign: str, words: str, width: int, look: str) -> Iterator[Line]:
    for at, line in enumerate(text.wrap(words, width - 4)):
        yield ((f" {' ' if at else sign} {line}", look),)


_MOST_REASONS = 5


def _left_out(report: Health, width: int) -> Iterator[Line]:
    if not report.skipped_imports:
        return
    yield from heading("Left out at imports", width)
    for skipped in report.skipped_imports[:5]:
        parts = "1 part" if skipped.count == 1 else f"{skipped.count} parts"
        words = f"{skipped.path}: {parts}, {skipped.at[:10]} ({skipped.origin})"
        yield from _remark("!", words, width, "warn")
        for reason in skipped.reasons[:_MOST_REASONS]:
            yield from block(skipped.brief(reason), width, "text", indent=3)
        if skipped.count > _MOST_REASONS:
            yield ((f"   and {skipped.count - _MOST_REASONS} more", "muted"),)


def _silent(report: Health, width: int, now_ms: int) -> Iterator[Line]:
    """CRITICAL lessons that were not recalled where they mattered."""
    if not report.missed_recalls:
        return
    yield from heading("CRITICAL, and silent", width)
    for silence in report.missed_recalls[:5]:
        times = "once" if silence.times == 1 else f"{silence.times} times"
        yield from _remark("!", f"{silence.short} {silence.statement}", width, "warn")
        words = f"not recalled {times}, last {detail.ago(silence.at, now_ms)} at {silence.file}"
        yield from block(words, width, "muted", indent=3)


def _fact(label: str, value: str, look: str = "text") -> Line:
    return ((f" {text.fit(label, 14)} ", "label"), (value, look))


def _ms(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f} ms"


def _size(count: float) -> str:
    if count < 1024:
        return f"{count:.0f} B"
    for unit in ("KB", "MB"):
        count /= 1024
        if count < 1024:
            return f"{count:.1f} {unit}"
    return f"{count / 1024:.1f} GB"


def no_drafts(*, hooked: bool, lessons: int) -> list[Line]:
    """An empty queue."""
    if not hooked:
        hints = ["No agent reports to Learnloop yet, so nothing new can arrive."]
        return message("Nothing to triage", hints, _offered("install", "backfill"))
    hints = ["When you correct your agent, a draft appears here by itself."]
    if lessons:
        hints.append(f"{lessons:,} lessons are in use.")
    return message("All done ✓", hints, _offered("backfill", "lessons", "health"))


def no_match(query: str) -> list[Line]:
    """A filter that nothing passes."""
    return message("No match", [f"Nothing here contains “{text.cut(query, 40)}”."], _offered("escape"))


def no_lessons(state: str) -> list[Line]:
    """No lesson in the chosen state."""
    if state == "all":
        return message("No lessons yet", ["Promote a draft, and it is listed here."], _offered("triage"))
    return message(f"No lesson is {state}", [], _offered("status"))


def _offered(*command_ids: str) -> list[tuple[str, str]]:
    return [(commands.BY_ID[name].key, commands.BY_ID[name].help) for name in command_ids]


def wrapped(lines: Iterable[Line], width: int) -> list[Line]:
    """Lines of one piece wrapped to a width, each as far from the left as it was."""
    fitting: list[Line] = []
    for line in lines:
        if len(line) != 1 or text.width(line[0][0]) <= width:
            fitting.append(line)
            continue
        words, look = line[0]
        margin = " " * (len(words) - len(words.lstrip()))
        fitting += [((margin + part, look),) for part in text.wrap(words, max(8, width - len(margin) - 1))]
    return fitting


def loading() -> list[Line]:
    """Before the first rows; a page shows such a line only if it takes a while."""
    return [(), (("  Loading …", "wait"),)]


def welcome(width: int, hooked: bool, captured: str, drafts: int) -> list[Line]:
    """The first run on an empty machine, and what came of it so far."""
    lines: list[Line] = [
        (), (("  ◉ Welcome to Learnloop", "brand"),), (),
        *block(_PURPOSE, min(width - 1, 75), "text", indent=2), (),
    ]  # fmt: skip
    if hooked or captured:
        words = captured or "waiting for your first prompt … start your agent and type one"
        glyph, look = ("✓", "good") if captured else ("◌", "warn")
        lines += [
            (("  ✓ ", "good"), ("hooks installed", "text")),
            ((f"  {glyph} ", look), (words, "good" if captured else "text")),
        ]
        if drafts:
            waiting = "1 draft waits" if drafts == 1 else f"{drafts:,} drafts wait"
            lines.append((("  ○ ", "strong"), (f"{waiting}: press ", "text"), (" 1 ", "key")))
        lines.append(())
    for command_id, words in _CHOICES:
        command = commands.BY_ID[command_id]
        if command_id == "install" and (hooked or captured):
            continue
        lines.append((("  ", "text"), (f" {command.key} ", "key"), (f"  {command.title}", "strong")))
        lines += [*block(words, min(width, 76), "muted", indent=7), ()]
    lines.append((("  ", "text"), (" s ", "key"), ("  skip", "muted")))
    return lines


_PURPOSE = (
    "You correct your coding agent; Learnloop keeps the correction, shows it here as a draft, and once you "
    "approve it, recalls it for the agent at the right moment. Everything stays on this machine."
)
_CHOICES = (
    ("install", "Registers the hooks of Claude Code in your user settings, after showing what changes. "
     "Taken back by: learn uninstall"),
    ("backfill", "Reads the sessions you already had, of projects you choose, and drafts lessons from them."),
    ("demo", "Opens a made-up store that is thrown away afterwards."),
)  # fmt: skip
