"""The person's own programs: a transcript at a line in editor or pager, a page in the browser."""

import os
import shlex
import shutil
import subprocess
import webbrowser
from pathlib import Path

from textual.app import App, SuspendNotSupported

_PAGERS = ("less", "more")
_GO_TO = {
    "code": "-g", "code-insiders": "-g", "codium": "-g", "cursor": "-g", "subl": "", "zed": "", "hx": "",
}  # fmt: skip
"""Editors that take FILE:LINE, and the option before it; others and pagers take +LINE FILE."""


def command(path: str, line: int) -> list[str]:
    """The command that shows a file at a line, by $VISUAL, $EDITOR, $PAGER or less; [] without any."""
    for name in ("VISUAL", "EDITOR", "PAGER"):
        words = _words(os.environ.get(name, ""))
        if words and shutil.which(words[0]):
            option = _GO_TO.get(words[0].rpartition("/")[2])
            place = [f"+{line}", path] if option is None else [*filter(None, (option,)), f"{path}:{line}"]
            return [*words, *place]
    pager = next((name for name in _PAGERS if shutil.which(name)), "")
    return [pager, f"+{line}", path] if pager else []


def _words(setting: str) -> list[str]:
    try:
        return shlex.split(setting)
    except ValueError:  # a quote that is not closed
        return setting.split()


def show_transcript(app: App[object], path: str, line: int) -> str:
    """Leave the console for it and come back; return what went wrong, empty where nothing did."""
    argv = command(path, line)
    if not argv:
        return f"Nothing to show it with: set EDITOR. It is in {path}, line {line:,}."
    try:
        with app.suspend():
            done = subprocess.run(argv, check=False)
    except SuspendNotSupported:
        return f"This terminal cannot be left. It is in {path}, line {line:,}."
    except OSError as error:
        return f"{argv[0]} could not be started: {error.strerror}. It is in {path}, line {line:,}."
    return "" if done.returncode == 0 else f"{argv[0]} ended with {done.returncode}."


_IN_TERMINAL = ("www-browser", "links", "elinks", "lynx", "w3m")
"""Browsers that would take the console's terminal."""


def show_page(path: Path) -> str:
    """Open a page in a browser that has a window; return what the person should know."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return f"There is no browser here. The report is in {path}."
    if getattr(browser, "name", "") in _IN_TERMINAL or not browser.open(path.as_uri()):
        return f"There is no browser with a window here. The report is in {path}."
    return f"The report is open in your browser. It is in {path}."
