"""The console's own looks: dark, light, of high contrast, and in the terminal's own colours."""

from __future__ import annotations

from textual.color import Color
from textual.theme import Theme


def _derived(
    ground: str,
    border: str,
    blurred: str,
    cursor: tuple[str, str, str],
    bar: tuple[str, str],
    style: str = "none",
) -> dict[str, str]:
    """Borders, cursor (behind, its words, without focus) and scroll bars (at rest, under the mouse)."""
    grounds = {f"scrollbar-background{state}": ground for state in ("", "-hover", "-active")}
    return {
        "border": border, "border-blurred": blurred,
        "block-cursor-background": cursor[0], "block-cursor-foreground": cursor[1],
        "block-cursor-text-style": style, "block-cursor-blurred-background": cursor[2],
        "scrollbar": bar[0], "scrollbar-hover": bar[1], "scrollbar-active": border, **grounds,
    }  # fmt: skip


DARK = Theme(
    name="learnloop-dark", dark=True, primary="#7aa2c9", secondary="#8fb7a5", accent="#e0b36a",
    success="#8fbf8f", warning="#e0b36a", error="#d98080",
    foreground="#d5d9e0", background="#14171c", surface="#191d23", panel="#222831",
    variables=_derived(
        "#191d23", "#7aa2c9", "#333b47", ("#2c3a4b", "#ffffff", "#232a34"), ("#39424f", "#4a5665")
    ),
)  # fmt: skip

LIGHT = Theme(
    name="learnloop-light", dark=False, primary="#2f6596", secondary="#3d7360", accent="#96610c",
    success="#33742f", warning="#96610c", error="#ad3535",
    foreground="#22262c", background="#eeece6", surface="#f8f7f3", panel="#e4e1d9",
    variables=_derived(
        "#f8f7f3", "#2f6596", "#cdc8bc", ("#d3e0ec", "#101418", "#e6e6e2"), ("#c3beb2", "#aaa497")
    ),
)  # fmt: skip

CONTRAST = Theme(
    name="learnloop-contrast", dark=True, primary="#7cc7ff", secondary="#9fe8c0", accent="#ffd866",
    success="#7dff8a", warning="#ffd866", error="#ff9d9d",
    foreground="#ffffff", background="#000000", surface="#000000", panel="#1a1a1a",
    variables=_derived(
        "#000000", "#ffffff", "#9a9a9a", ("#00407a", "#ffffff", "#303030"), ("#9a9a9a", "#ffffff"), "bold"
    ),
)  # fmt: skip
"""For eyes or rooms that need it: no text below 7:1, the enhanced level of WCAG 2.2 (1.4.6)."""

_OWN, _BLUE, _GREY, _WHITE = "ansi_default", "ansi_blue", "ansi_bright_black", "ansi_bright_white"
_OWN_PLACES = (
    "ansi-background", "ansi-foreground", "input-cursor-background", "input-cursor-foreground",
    "scrollbar-corner-color",
)  # fmt: skip
ANSI = Theme(
    name="learnloop-ansi", ansi=True, dark=True, primary=_BLUE, secondary="ansi_cyan", accent="ansi_magenta",
    success="ansi_green", warning="ansi_yellow", error="ansi_red",
    foreground=_OWN, background=_OWN, surface=_OWN, panel=_OWN, boost=_OWN,
    variables={
        **_derived(_OWN, _BLUE, _GREY, (_BLUE, _WHITE, _GREY), (_GREY, _BLUE)),
        **dict.fromkeys(_OWN_PLACES, _OWN),
        "input-selection-background": _BLUE, "input-selection-foreground": _WHITE,
    },
)  # fmt: skip
"""The terminal's own sixteen colours, on its own background."""

THEMES = (DARK, LIGHT, CONTRAST, ANSI)
LEAST = {"label": 3.0, "muted": 3.0, "bar": 1.5}
"""Least contrast of a piece with its background, as WCAG counts it; 4.5 where none is named."""
_USUAL, _ENHANCED = 4.5, 7.0


def least_contrast(theme: str, piece: str) -> float:
    """The least contrast of a piece of text in a theme."""
    if theme == CONTRAST.name and piece != "bar":
        return _ENHANCED
    return LEAST.get(piece, _USUAL)


def legible(colour: Color, background: Color, least: float) -> Color:
    """The colour, moved towards white or black as far as it takes; the terminal's own colours stay."""
    if colour.ansi is not None or background.ansi is not None:
        return colour
    end = max((Color(255, 255, 255), Color(0, 0, 0)), key=lambda share: contrast(share, background))
    for step in range(11):
        mixed = colour.blend(end, step / 10)
        if contrast(mixed, background) >= least:
            return mixed
    return end


def contrast(colour: Color, other: Color) -> float:
    """Contrast of two colours, 1–21 (WCAG 2.2, contrast ratio)."""
    high, low = sorted((_luminance(colour), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: Color) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized
    )
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)
