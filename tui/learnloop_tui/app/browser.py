"""Opening a page in the person's browser."""

import webbrowser
from pathlib import Path

_IN_TERMINAL = ("www-browser", "links", "elinks", "lynx", "w3m")
"""Browsers that would take the console's terminal."""


def show(path: Path) -> str:
    """Open a page in a browser that has a window; return what the person should know."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return f"There is no browser here. The report is in {path}."
    if getattr(browser, "name", "") in _IN_TERMINAL or not browser.open(path.as_uri()):
        return f"There is no browser with a window here. The report is in {path}."
    return f"The report is open in your browser. It is in {path}."
