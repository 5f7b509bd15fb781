"""The background ingest that hooks start: `python -m learnloop.ingest.background [ROOT]`.

It runs at low priority, one at a time, and silently; failures go to `log/background.log`.
"""

import contextlib
import os
import sys
import time
import traceback
from pathlib import Path

from learnloop.wire import clock, paths, session_recalls

_DAY_MS = 24 * 3600 * 1000
_LOG_BYTES = 256 * 1024


def main(argv: list[str] | None = None) -> int:
    """Ingest, then tidy up. Always return 0, because nobody reads the exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    root = arguments[0] if arguments else paths.root()
    with contextlib.suppress(OSError):
        os.nice(10)
    try:
        run(root)
    except Exception:  # the log is the only place for it
        _log(root, traceback.format_exc())
    return 0


def run(root: str) -> None:
    """Ingest, then remove what is too old."""
    from learnloop.ingest.expiry import expire
    from learnloop.ingest.run import ingest
    from learnloop.store import locks

    paths.ensure_dir(root)
    Path(root, "ingest.stamp").touch(mode=paths.FILE_MODE)
    with locks.held(Path(root, "background.lock"), wait_s=0.0, what="the background ingest"):
        ingest(root)
        if expire(root, clock.now_ms()):
            ingest(root)
        session_recalls.clean(root)
        retire(root)


def retire(root: str) -> None:
    """Remove ingested segments older than the retention; decisions stay in the store."""
    from learnloop import settings
    from learnloop.store import segments
    from learnloop.store.store import Store

    before_ms = clock.now_ms() - settings.load(environment=False).retention_days * _DAY_MS
    segments.prune(root, before_ms=before_ms, cursor=Store(root).cursor())


def _log(root: str, failure: str) -> None:
    """Append a failure; a log that has grown large starts again."""
    with contextlib.suppress(OSError):
        paths.ensure_dir(paths.log(root))
        path = Path(paths.log(root), "background.log")
        mode = "w" if path.exists() and path.stat().st_size > _LOG_BYTES else "a"
        with path.open(mode, encoding="utf-8") as file:
            file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}\n{failure}\n")


if __name__ == "__main__":
    sys.exit(main())
