"""A month of work, made up: what four agents did in three projects, and, counted by hand, how it went over.

Every session goes through the same door as a hook's payload (`wire.payloads`), the journal and ingest.
The marks of a scene in `tests/data/month.txt` are those of `demo.stage`: `>` prompt, `w` wrote, `e` edited,
`$` ran, `x` failed, `!` refused, `@` subagent starts, `-` ends, `t` the agent's own list (done/all),
`.` claim, `~` cut off, `#` the client left.
"""

import re
from pathlib import Path

from learnloop.demo import stage
from learnloop.ingest.run import ingest
from learnloop.wire import journal

NOW_MS = 1_766_102_400_000
"""Friday 2025-12-19, 00:00 UTC; the sessions lie in the 30 days before."""
_SCENES = re.split(r"\n\n(?===)", (Path(__file__).parents[1] / "data" / "month.txt").read_text("utf-8"))
EXPECTED: dict[str, tuple[int, int, int]] = {
    "main": (6, 3, 3),
    "test-writer": (5, 2, 0),
    "refactorer": (3, 2, 1),
    "docs-writer": (4, 1, 0),
}
"""Successes, revisions and cancellations of the whole month, summed by hand."""


def play(root: str, *, per_ingest: int = 1) -> None:
    """Record the month under a root, ingesting after so many sessions."""
    for number, scene in enumerate(_SCENES, 1):
        for records in stage.play(scene, NOW_MS):
            assert journal.append(root, records)
        if number % per_ingest == 0:
            ingest(root, wait_s=10)
    ingest(root, wait_s=10)
