"""Charts as lines of text: block characters, or plain ASCII where the output has no others. Pure.

Every chart can be read without colour: marks differ in shape, axes have units. A line consists of spans, each
with a role (`axis`, `mark`, `range`, `label`) that a console may colour.
"""

from collections.abc import Sequence
from typing import NamedTuple

from learnloop.service.charts.series import Corrections, Histogram, WeekShare

Span = tuple[str, str]
Line = tuple[Span, ...]

_EIGHTHS = "▁▂▃▄▅▆▇█"
_SPLIT = "┊"
_BAR = "▆"
"""Not the full block, so that bars of neighbouring rows stay apart."""
_AXIS = 6
"""The width of the labels at the left with the axis, cells."""
_WIDEST_WEEK = 6
_BAR_TITLE = 10
_MOST_BAR = 40


class Signs(NamedTuple):
    """The characters of a chart."""

    point: str
    stem: str
    top: str
    bottom: str
    none: str
    axis: str
    corner: str
    floor: str


BLOCKS = Signs("●", "│", "┬", "┴", "·", "┤", "└", "─")
ASCII = Signs("o", "|", "-", "-", ".", "|", "+", "-")


def shares(
    weeks: Sequence[WeekShare], width: int, height: int = 7, *, ascii_only: bool = False
) -> list[Line]:
    """Shares by week between 0 and 100 %, each with its interval; a dot on the floor is a week without any.

    `width` and `height` are in cells; the weeks that do not fit are the oldest.
    """
    if width < _AXIS + 6 or not any(week.turns for week in weeks):
        return []
    signs = ASCII if ascii_only else BLOCKS
    step = _step(len(weeks), width)
    shown = weeks[-max(1, (width - _AXIS) // step) :]
    rows = [_share_row(shown, row, height, step, signs) for row in range(height)]
    return [*rows, _floor(len(shown) * step, signs), _dates([week.week for week in shown], step, width)]


def _step(count: int, width: int) -> int:
    """The cells of a week: more where there are few weeks."""
    return max(2, min(_WIDEST_WEEK, (width - _AXIS) // max(1, count)))


def _share_row(weeks: Sequence[WeekShare], row: int, height: int, step: int, signs: Signs) -> Line:
    value = 1 - row / (height - 1)
    label = f"{value:.0%}" if row in (0, (height - 1) // 2, height - 1) else ""
    spans: list[Span] = [(f"{label:>{_AXIS - 2}} ", "label"), (signs.axis if label else signs.stem, "axis")]
    for week in weeks:
        sign, role = _share_sign(week, row, height, signs)
        spans.append((sign.center(step), role))
    return tuple(spans)


def _share_sign(week: WeekShare, row: int, height: int, signs: Signs) -> Span:
    if week.share is None:
        return (signs.none if row == height - 1 else " ", "label")
    top, at, low = (round((1 - value) * (height - 1)) for value in (week.high, week.share, week.low))
    if row == at:
        return (signs.point, "mark")
    if top <= row <= low:
        return (signs.top if row == top else signs.bottom if row == low else signs.stem, "range")
    return (" ", "label")


def _floor(cells: int, signs: Signs) -> Line:
    return ((" " * (_AXIS - 1) + signs.corner + signs.floor * cells, "axis"),)


def _dates(weeks: Sequence[str], step: int, width: int) -> Line:
    """The Mondays as MM-DD, as many as fit without touching."""
    line, end = " " * _AXIS, 0
    for at, week in enumerate(weeks):
        place = _AXIS + at * step + max(0, (step - 5) // 2)
        if place >= end and place + 5 <= width:
            line = f"{line:<{place}}{week[5:]}"
            end = place + 6
    return ((line, "label"),)


def counts(corrections: Corrections, width: int, height: int = 4) -> list[Line]:
    """Corrections a week as bars; `▲` and a dotted line mark the promotion of the lesson."""
    if width < _AXIS + 6 or not corrections.weeks:
        return []
    step = min(3, _step(len(corrections.weeks), width))
    room = max(1, (width - _AXIS - 1) // step)
    skipped = max(0, len(corrections.weeks) - room)
    weeks = corrections.weeks[skipped:]
    most = max(1, *(week.seen for week in weeks))
    height = min(height, most)
    promoted = corrections.promoted
    at = promoted - skipped if promoted is not None and promoted >= skipped else None
    numbers = [week.seen for week in weeks]
    rows = [_bar_row(numbers, row, height, most, (step, at)) for row in range(height)]
    floor = _floor(len(weeks) * step + (at is not None), BLOCKS)
    promotion: list[Line] = []
    if at is not None:
        promotion = [((" " * (_AXIS + at * step) + "▲ promoted", "range"),)]
    return [*rows, floor, _dates([week.week for week in weeks], step, width), *promotion]


def _bar_row(numbers: Sequence[int], row: int, height: int, most: int, place: tuple[int, int | None]) -> Line:
    step, promoted = place
    label = str(most) if row == 0 else "1" if row == height - 1 and most > height else ""
    axis = BLOCKS.axis if label else BLOCKS.stem
    spans: list[Span] = [(f"{label:>{_AXIS - 2}} ", "label"), (axis, "axis")]
    below = height - 1 - row
    for at, number in enumerate(numbers):
        if at == promoted:
            spans.append((_SPLIT, "axis"))
        eighths = round(number * height * 8 / most) - below * 8
        spans.append((_filled(eighths, max(1, step - 1), number, below).ljust(step), "mark"))
    return tuple(spans)


def _filled(eighths: int, cells: int, number: int, below: int) -> str:
    if eighths <= 0:
        return (BLOCKS.none if below == 0 and not number else " ").ljust(cells)
    return _EIGHTHS[min(eighths, 8) - 1] * cells


def times(histogram: Histogram, width: int) -> list[Line]:
    """A bar for each range of milliseconds, with its count and its share of all firings."""
    if not histogram.total:
        return []
    filled = [at for at, count in enumerate(histogram.counts) if count]
    most = max(histogram.counts)
    size = max(4, min(_MOST_BAR, width - _BAR_TITLE - 16))
    lines: list[Line] = []
    for at in range(filled[0], filled[-1] + 1):
        count = histogram.counts[at]
        bar = _BAR * -(-size * count // most)
        title, share = range_words(histogram, at), f"{count:>8,} {_percent(count, histogram.total):>5}"
        lines.append(((f"{title:>{_BAR_TITLE - 1}} ", "label"), (bar.ljust(size), "mark"), (share, "label")))
    return lines


def range_words(histogram: Histogram, at: int) -> str:
    """The times that a place of the histogram counts: `10-15 ms`."""
    if at == len(histogram.bounds_ms):
        return f"> {histogram.bounds_ms[-1]:,} ms"
    low = histogram.bounds_ms[at - 1] if at else 0
    return f"{low}-{histogram.bounds_ms[at]} ms"


def _percent(count: int, total: int) -> str:
    share = count / total
    return "<1 %" if 0 < share < 0.01 else f"{share * 100:.0f} %"


def plain(lines: Sequence[Line]) -> list[str]:
    """The lines as text, without roles."""
    return ["".join(part for part, _ in line).rstrip() for line in lines]
