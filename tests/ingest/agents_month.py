"""A month of 30 sessions with three agents, every outcome known: what its figures are is counted by hand.

Session i is on day i*28//30 at 09:00, even ones in the shop, odd ones in the blog; i % 3 says whose turn is
judged (main, code-reviewer, test-writer), k = i // 3 how:

- main: 8 praised, 1 corrected (k = 8), 1 interrupted (k = 9)
- code-reviewer: 3 praised, 7 corrected (k = 3 to 9); started twice in each session
- test-writer: 4 praised, 3 corrected (k = 4 to 6), 3 left without a word; session 29 is with another host
"""

from datetime import UTC, datetime
from typing import Any

from tests.ingest.session_scene import Scene

MONDAY = int(datetime(2026, 9, 7, tzinfo=UTC).timestamp()) * 1000
DAY, HOUR = 86_400_000, 3_600_000
SHOP, BLOG = "/code/shop", "/code/blog"
AGENTS = ("main", "code-reviewer", "test-writer")
FILES = ("src/ledger.py", "src/ledger.ts", "tests/test_ledger.py")
PRAISED = (8, 3, 4)
INTERRUPTED = (9, -1, -1)
REMARKS = {
    (0, 8): "no, use decimals instead of floats",
    (1, 3): "no, use pnpm instead of npm",
    (1, 4): "no, that's wrong, use pnpm instead of npm",
    (1, 5): "No, use pnpm instead of npm here",
    (1, 6): "you broke the snapshot of the header",
    (1, 7): "you broke the snapshot of the footer",
    (1, 8): "no, use const instead of var",
    (1, 9): "no, use flexbox instead of tables",
    (2, 4): "no, use the shared fixture instead of a new one",
    (2, 5): "no, use freezegun instead of patching time",
    (2, 6): "no, use httpx instead of requests",
}


def session(number: int) -> Scene:
    """The events of one session."""
    kind, k = number % 3, number // 3
    scene = Scene(f"m{number:02d}", (SHOP, BLOG)[number % 2], MONDAY + number * 28 // 30 * DAY + 9 * HOUR)
    scene.add("session_start", {"source": "startup"}).prompt(f"extend ledger number {number}", f"a{number}")
    who: dict[str, Any] = {}
    if kind:
        for start in range(2 if kind == 1 else 1):
            who = {"agent_id": f"agent-{number}-{start}", "agent_type": AGENTS[kind]}
            scene.add("subagent_start", **who)
    scene.call("Edit", f"{scene.project}/{FILES[kind]}", prompt_id=f"a{number}", **who)
    if k == INTERRUPTED[kind]:
        scene.add("notice", {"type": "interrupted", "message": ""}).add("session_end", {"reason": "other"})
        return scene
    scene.stop(prompt_id=f"a{number}")
    remark = "Perfect, thank you!" if k < PRAISED[kind] else REMARKS.get((kind, k))
    if remark:
        scene.prompt(remark, f"b{number}", after_s=20).stop(prompt_id=f"b{number}")
    return scene.add("session_end", {"reason": "other"})


def events() -> list[list[dict[str, Any]]]:
    """The month, session by session; the last one is with another host."""
    sessions = [session(number).events for number in range(30)]
    for record in sessions[29]:
        record["host"] = "codex"
    return sessions


def promotion() -> dict[str, Any]:
    """A lesson for the code-reviewer in the shop, promoted at noon of the 15th day, after session 16."""
    ms = MONDAY + 14 * DAY + 12 * HOUR
    ts = datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    lesson = {
        "id": "pnpmpnpm", "status": "active", "statement": "pnpm is used instead of npm.", "scope": "project",
        "project": SHOP, "triggers": {"agent_names": ["code-reviewer"]}, "created": ts, "updated": ts,
        "reviewed_at": ts,
    }  # fmt: skip
    scene = Scene("cli", SHOP, ms - 1000)
    payload = {"action": "add", "lesson_ids": ["pnpmpnpm"], "args": {"lesson": lesson}, "by": "cli"}
    return scene.add("decision", payload).events[0]
