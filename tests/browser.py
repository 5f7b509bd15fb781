"""A real browser without a window, for the pages that the program writes."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_PROGRAM = next(filter(None, map(shutil.which, _NAMES)), "")
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
DARK, LIGHT = (f"--blink-settings=preferredColorScheme={scheme}" for scheme in (0, 1))

needs_browser = pytest.mark.skipif(not _PROGRAM, reason="no Chromium here: apt-get install chromium")


def browse(url: str, *flags: str) -> str:
    """Open a page with further flags of Chromium; what it printed."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [_PROGRAM, *_FLAGS, f"--user-data-dir={profile}", *flags, url]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=100).stdout


def document(url: str) -> str:
    """The page as it stands once its scripts have run for five seconds of their own clock."""
    return browse(url, "--dump-dom", "--virtual-time-budget=5000")


def picture(url: str, path: Path, *flags: str) -> bytes:
    """A picture of the page as PNG, also written to `path`."""
    browse(url, f"--screenshot={path}", "--window-size=1000,1400", *flags)
    return path.read_bytes()
