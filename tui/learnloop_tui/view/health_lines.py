"""The health page as lines: whether it works, what to do, what it costs, and the technical details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from learnloop.faces import charts
from learnloop.keymap import commands
from learnloop_tui.view import detail, text
from learnloop_tui.view.page_parts import block, draw, heading, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from learnloop.service.health.check import Check
    from learnloop.service.health.health_report import Health
    from learnloop.service.sessions.recent_events import HookTimes
    from learnloop_tui.view.state import Pulse
    from learnloop_tui.view.text import Line

_LEVELS = {"ok": ("✓", "good"), "warn": ("!", "warn"), "fail": ("✗", "bad")}


_MOST_TO_DO = 3
_CONNECTING = ("hooks", "hook code")
"""The checks that repeat that nothing is connected."""


def health(
    pulse: Pulse | None, checks: Sequence[Check] | None, width: int, now_ms: int, *, technical: bool
) -> list[Line]:
    """The answer first: whether it works, else what to do; then what it costs, and the rest on demand."""
    if pulse is None:
        return [(), ((" Looking …", "wait"),)]
    width = min(width, text.READABLE)
    wrong = sorted((check for check in checks or () if check.level != "ok"), key=lambda check: check.level)
    to_do = wrong if pulse.hooked else [check for check in wrong if check.name not in _CONNECTING]
    lines: list[Line] = [(), *_answer(pulse, wrong, width, now_ms), *_to_do(to_do, width)]
    lines += _told(pulse.health, width)
    lines += [*_silent(pulse.health, width, now_ms), ()]
    key = commands.BY_ID["details"].key
    lines.append(((f" {key}", "key"), (f" {'folds' if technical else 'shows'} technical details", "muted")))
    return [*lines, *_facts(pulse, width, now_ms), *_doctor(checks, width)] if technical else lines


def _answer(pulse: Pulse, wrong: Sequence[Check], width: int, now_ms: int) -> list[Line]:
    """One sentence: it works, or what keeps it from working."""
    report = pulse.health
    fails = [check for check in wrong if check.level == "fail"]
    if not pulse.hooked:
        return signed(
            " ! ", "warn", f"Not connected: {commands.BY_ID['install'].key} installs the hooks.", width,
            "strong",
        )  # fmt: skip
    if not report.recording:
        return signed(" ! ", "warn", "Recording is switched off: learn on switches it on.", width, "strong")
    if fails:
        return signed(" ✗ ", "bad", f"Not working: {fails[0].message}", width, "strong")
    if not report.last_capture:
        return signed(" ◌ ", "warn", "Hooks are in. Waiting for your first prompt.", width, "strong")
    often = max(report.hooks, key=lambda hook: hook.count, default=None)
    what = "Last correction heard" if report.last_correction else "Last event recorded"
    facts = (
        f"{what} {detail.ago(report.last_correction or report.last_capture, now_ms)}",
        f"hooks take {often.p50_ms:.0f} ms" if often is not None and often.p50_ms is not None else "",
        f"{report.active:,} {'lesson is' if report.active == 1 else 'lessons are'} in use",
    )
    return signed(" ✓ ", "good", f"Working. {'; '.join(filter(None, facts))}.", width, "strong")


def _to_do(wrong: Sequence[Check], width: int) -> Iterator[Line]:
    """What is wrong, the worst first, and what to do about it."""
    if not wrong:
        return
    yield from heading("1 thing to do" if len(wrong) == 1 else f"{len(wrong)} things to do", width)
    for check in wrong[:_MOST_TO_DO]:
        glyph, look = _LEVELS[check.level]
        yield from signed(f" {glyph} ", look, check.message, width)
        if check.hint:
            yield from block(f"→ {check.hint}", width, look, indent=3)
    if len(wrong) > _MOST_TO_DO:
        yield ((f"   and {len(wrong) - _MOST_TO_DO} more, under Doctor in the details", "muted"),)


def _facts(pulse: Pulse, width: int, now_ms: int) -> list[Line]:
    report = pulse.health
    return [
        *_capture(report, pulse.hooked, width, now_ms), *_hooks(report.hooks, width),
        *draw([charts.hook_times(report.hook_latencies)], width), *_reading(report, width),
        *_errors(report, width, now_ms), *_storage(report, width), *_kept_aside(report, width),
    ]  # fmt: skip


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
            yield _fact(mode, "everywhere" if project == "*" else project)
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
    current = report.index_current
    yield _fact(
        "recall index", "current" if current else "of an earlier state", "text" if current else "warn"
    )


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


def _silent(report: Health, width: int, now_ms: int) -> Iterator[Line]:
    """CRITICAL lessons that were not recalled where they mattered."""
    if not report.missed_recalls:
        return
    yield from heading("CRITICAL, and not recalled", width)
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
