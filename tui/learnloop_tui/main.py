"""`learn-tui`: the console, or the demo in a throw-away store."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SWITCH_S = 0.001
"""A key waits no longer than this for a thread that works: each time it needs the interpreter, up to ten in a
row, so that the usual 5 ms are felt."""
COLLECT_AT = (20_000, 20, 100)
"""A look through everything that a large store holds takes as long as a key press may; what the console makes
and drops is freed without one."""

USAGE = """\
usage: learn-tui [--demo] [--help] [--version]

The console of Learnloop: decide on what you told your coding agents, keep what is true.

  --demo      look around in a made-up store that is thrown away afterwards
  --help      show this and end
  --version   show the version and end

Keys: ? in the console, or docs/keys.md. Everything headless: learn --help.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the console; the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if "--help" in arguments or "-h" in arguments:
        sys.stdout.write(USAGE)
        return 0
    if "--version" in arguments:
        from learnloop import __version__

        sys.stdout.write(f"learn-tui {__version__}\n")
        return 0
    if unknown := [argument for argument in arguments if argument != "--demo"]:
        sys.stderr.write(f"learn-tui: unknown argument {unknown[0]}\n{USAGE}")
        return 2
    return run_demo() if arguments else run()


def run() -> int:
    """The console on the real store; a demo asked for in it comes in between."""
    from learnloop.wire import paths

    while True:
        wish, code = open_console(paths.root(), demo=False)
        if wish != "demo":
            return code
        run_demo()


def run_demo() -> int:
    """The console on a made-up store in a folder that is gone afterwards."""
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="learnloop-demo-")
    before = os.environ.get("LEARNLOOP_HOME")
    os.environ["LEARNLOOP_HOME"] = folder
    try:
        return open_console(folder, demo=True)[1]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if before is None:
            del os.environ["LEARNLOOP_HOME"]
        else:
            os.environ["LEARNLOOP_HOME"] = before


def open_console(root: str, *, demo: bool) -> tuple[str | None, int]:
    """Run the console on a store; returns "demo" where the person asks for it, and the exit code."""
    from learnloop_tui.view.terminal import obstacle

    if reason := obstacle():
        sys.stderr.write(f"learn-tui: {reason}\n")
        return None, 1
    from learnloop_tui.app.app import ConsoleApp
    from learnloop_tui.bridge import ServiceBridge

    os.umask(os.umask(0o077) & 0o077)  # what is made here can be opened here, whatever the umask was
    sys.setswitchinterval(SWITCH_S)
    gc.set_threshold(*COLLECT_AT)
    gc.freeze()
    app = ConsoleApp(ServiceBridge(root, demo=demo))
    return app.run(), app.return_code or 0


if __name__ == "__main__":
    raise SystemExit(main())
