"""The console's own looks, one dark and one light; everything is drawn with theme variables."""

from __future__ import annotations

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

THEMES = (DARK, LIGHT)
