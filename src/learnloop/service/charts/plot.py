"""Charts as lines of text: block characters, or plain ASCII where a terminal or a pipe has no others. Pure.

Every chart reads without colour: marks differ in shape, axes carry units. A line is made of pieces, each
with its role (`axis`, `mark`, `range`, `label`), which a console may colour.
"""

from collections.abc import Sequence
from typing import NamedTuple

from learnloop.service.charts.hook_latency import Histogram
from learnloop.service.charts.series import Corrections, WeekShare

Piece = tuple[str, str]
Line = tuple[Piece, ...]

_EIGHTHS = "▁▂▃▄▅▆▇█"
_AXIS = 6
"""The width of the labels at the left, the axis itself included."""
_WIDEST_WEEK = 6
_BAR_TITLE = 10
_MOST_BAR = 40


class Signs(NamedTuple):
    """What a chart is drawn with."""

    point: str
    stem: str
    top: str
    bottom: str
    none: str
    axis: str
    corner: str
    floor: str
    bar: str
    """Not the full block: bars of neighbouring rows stay apart."""
    split: str


BLOCKS = Signs("●", "│", "┬", "┴", "·", "┤", "└", "─", "▆", "┊")
ASCII = Signs("o", "|", "-", "-", ".", "|", "+", "-", "#", ":")


def shares(
    weeks: Sequence[WeekShare], width: int, height: int = 7, *, ascii_only: bool = False
) -> list[Line]:
    """Shares by week between 0 and 100 %, each with its interval; a dot on the floor is a week without any.

    `width` and `height` are in cells; the weeks that do not fit are the oldest.
    """
    if width < _AXIS + 6 or not any(week.judged for week in weeks):
        return []
    signs = ASCII if ascii_only else BLOCKS
    step = _step(len(weeks), width)
    shown = weeks[-max(1, (width - _AXIS) // step) :]
    made = [_share_row(shown, row, height, step, signs) for row in range(height)]
    return [*made, _floor(len(shown) * step, signs), _dates([week.week for week in shown], step, width)]


def _step(count: int, width: int) -> int:
    """How many cells a week takes: wide where there is room, so that few weeks do not huddle."""
    return max(2, min(_WIDEST_WEEK, (width - _AXIS) // max(1, count)))


def _share_row(weeks: Sequence[WeekShare], row: int, height: int, step: int, signs: Signs) -> Line:
    value = 1 - row / (height - 1)
    label = f"{value:.0%}" if row in (0, (height - 1) // 2, height - 1) else ""
    pieces: list[Piece] = [(f"{label:>{_AXIS - 2}} ", "label"), (signs.axis if label else signs.stem, "axis")]
    for week in weeks:
        sign, role = _share_sign(week, row, height, signs)
        pieces.append((sign.center(step), role))
    return tuple(pieces)


def _share_sign(week: WeekShare, row: int, height: int, signs: Signs) -> Piece:
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
    """The Monday of every so many weeks, as far as they do not touch: MM-DD."""
    made, end = " " * _AXIS, 0
    for at, week in enumerate(weeks):
        place = _AXIS + at * step + max(0, (step - 5) // 2)
        if place >= end and place + 5 <= width:
            made = f"{made:<{place}}{week[5:]}"
            end = place + 6
    return ((made, "label"),)


def counts(found: Corrections, width: int, height: int = 4, *, ascii_only: bool = False) -> list[Line]:
    """Corrections a week as bars; `▲` and a line of dots stand where the lesson was promoted."""
    if width < _AXIS + 6 or not found.weeks:
        return []
    signs = ASCII if ascii_only else BLOCKS
    step = min(3, _step(len(found.weeks), width))
    room = max(1, (width - _AXIS - 1) // step)
    skipped = max(0, len(found.weeks) - room)
    weeks = found.weeks[skipped:]
    most = max(1, *(week.seen for week in weeks))
    height = min(height, most)
    at = found.promoted - skipped if found.promoted is not None and found.promoted >= skipped else None
    numbers = [week.seen for week in weeks]
    made = [_bar_row(numbers, row, height, most, (step, at), signs) for row in range(height)]
    floor = _floor(len(weeks) * step + (at is not None), signs)
    return [
        *made,
        floor,
        _dates([week.week for week in weeks], step, width),
        *_promotion(at, step, ascii_only),
    ]


def _bar_row(
    numbers: Sequence[int], row: int, height: int, most: int, place: tuple[int, int | None], signs: Signs
) -> Line:
    step, promoted = place
    label = str(most) if row == 0 else "1" if row == height - 1 and most > height else ""
    pieces: list[Piece] = [(f"{label:>{_AXIS - 2}} ", "label"), (signs.axis if label else signs.stem, "axis")]
    below = height - 1 - row
    for at, number in enumerate(numbers):
        if at == promoted:
            pieces.append((signs.split, "axis"))
        eighths = round(number * height * 8 / most) - below * 8
        pieces.append((_filled(eighths, max(1, step - 1), number, below, signs).ljust(step), "mark"))
    return tuple(pieces)


def _filled(eighths: int, cells: int, number: int, below: int, signs: Signs) -> str:
    if eighths <= 0:
        return (signs.none if below == 0 and not number else " ").ljust(cells)
    if signs is ASCII:
        return signs.bar * cells
    return _EIGHTHS[min(eighths, 8) - 1] * cells


def _promotion(at: int | None, step: int, ascii_only: bool) -> list[Line]:
    """Under the axis, where the lesson was promoted."""
    if at is None:
        return []
    return [((" " * (_AXIS + at * step) + ("^" if ascii_only else "▲") + " promoted", "range"),)]


def times(found: Histogram, width: int, *, ascii_only: bool = False) -> list[Line]:
    """How many firings took how long: a bar for each range of milliseconds, with its count and its share."""
    if not found.total:
        return []
    signs = ASCII if ascii_only else BLOCKS
    filled = [at for at, count in enumerate(found.counts) if count]
    most = max(found.counts)
    size = max(4, min(_MOST_BAR, width - _BAR_TITLE - 16))
    made: list[Line] = []
    for at in range(filled[0], filled[-1] + 1):
        count = found.counts[at]
        bar = _bar(count, most, size, signs)
        share = f"{count:>8,} {_percent(count, found.total):>5}"
        made.append(
            (
                (f"{_range(found, at):>{_BAR_TITLE - 1}} ", "label"),
                (bar.ljust(size), "mark"),
                (share, "label"),
            )
        )
    return made


def _bar(count: int, most: int, size: int, signs: Signs) -> str:
    return signs.bar * -(-size * count // most)


def _range(found: Histogram, at: int) -> str:
    if at == len(found.bounds_ms):
        return f"> {found.bounds_ms[-1]:,} ms"
    low = found.bounds_ms[at - 1] if at else 0
    return f"{low}-{found.bounds_ms[at]} ms"


def _percent(count: int, total: int) -> str:
    share = count / total
    return "<1 %" if 0 < share < 0.01 else f"{share * 100:.0f} %"


def plain(lines: Sequence[Line]) -> list[str]:
    """The lines as text, without roles."""
    return ["".join(part for part, _ in line).rstrip() for line in lines]
