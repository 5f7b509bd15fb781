"""The console's own looks: dark, light, of high contrast, and in the terminal's own colours."""

from __future__ import annotations

from textual.color import Color
from textual.theme import Theme

DARK = Theme(
    name="learnloop-dark",
    dark=True,
    primary="#7aa2c9",
    secondary="#8fb7a5",
    accent="#e0b36a",
    success="#8fbf8f",
    warning="#e0b36a",
    error="#d98080",
    foreground="#d5d9e0",
    background="#14171c",
    surface="#191d23",
    panel="#222831",
    variables={
        "border": "#7aa2c9",
        "border-blurred": "#333b47",
        "block-cursor-background": "#2c3a4b",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#232a34",
        "scrollbar": "#39424f",
        "scrollbar-hover": "#4a5665",
        "scrollbar-active": "#7aa2c9",
        "scrollbar-background": "#191d23",
        "scrollbar-background-hover": "#191d23",
        "scrollbar-background-active": "#191d23",
    },
)

LIGHT = Theme(
    name="learnloop-light",
    dark=False,
    primary="#2f6596",
    secondary="#3d7360",
    accent="#96610c",
    success="#33742f",
    warning="#96610c",
    error="#ad3535",
    foreground="#22262c",
    background="#eeece6",
    surface="#f8f7f3",
    panel="#e4e1d9",
    variables={
        "border": "#2f6596",
        "border-blurred": "#cdc8bc",
        "block-cursor-background": "#d3e0ec",
        "block-cursor-foreground": "#101418",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "#e6e6e2",
        "scrollbar": "#c3beb2",
        "scrollbar-hover": "#aaa497",
        "scrollbar-active": "#2f6596",
        "scrollbar-background": "#f8f7f3",
        "scrollbar-background-hover": "#f8f7f3",
        "scrollbar-background-active": "#f8f7f3",
    },
)

CONTRAST = Theme(
    name="learnloop-contrast",
    dark=True,
    primary="#7cc7ff",
    secondary="#9fe8c0",
    accent="#ffd866",
    success="#7dff8a",
    warning="#ffd866",
    error="#ff9d9d",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1a1a1a",
    variables={
        "border": "#ffffff",
        "border-blurred": "#9a9a9a",
        "block-cursor-background": "#00407a",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-background": "#303030",
        "scrollbar": "#9a9a9a",
        "scrollbar-hover": "#ffffff",
        "scrollbar-active": "#ffffff",
        "scrollbar-background": "#000000",
        "scrollbar-background-hover": "#000000",
        "scrollbar-background-active": "#000000",
    },
)
"""For eyes or rooms that need it: no text below 7:1, the enhanced level of WCAG 2.2 (1.4.6)."""

ANSI = Theme(
    name="learnloop-ansi",
    ansi=True,
    dark=True,
    primary="ansi_blue",
    secondary="ansi_cyan",
    accent="ansi_magenta",
    success="ansi_green",
    warning="ansi_yellow",
    error="ansi_red",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    variables={
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "border": "ansi_blue",
        "border-blurred": "ansi_bright_black",
        "block-cursor-background": "ansi_blue",
        "block-cursor-foreground": "ansi_bright_white",
        "block-cursor-text-style": "none",
        "block-cursor-blurred-background": "ansi_bright_black",
        "input-cursor-background": "ansi_default",
        "input-cursor-foreground": "ansi_default",
        "input-selection-background": "ansi_blue",
        "input-selection-foreground": "ansi_bright_white",
        "scrollbar": "ansi_bright_black",
        "scrollbar-hover": "ansi_blue",
        "scrollbar-active": "ansi_blue",
        "scrollbar-background": "ansi_default",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
        "scrollbar-corner-color": "ansi_default",
    },
)
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
