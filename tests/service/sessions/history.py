"""Two sessions in two projects, through the real path: what exchange and forgetting are tested on."""

from learnloop.service import workspace
from learnloop.service.workspace import Workspace
from learnloop.wire import event, journal

APP, OTHER, NEIGHBOUR = "/code/app", "/code/other", "/code/app-two"
IN_APP, IN_OTHER = "aaaa1111-0000-4000-8000-000000000001", "bbbb2222-0000-4000-8000-000000000002"
IN_NEIGHBOUR = "cccc3333-0000-4000-8000-000000000003"
START_MS = 1_760_000_000_000
SAID = {
    IN_APP: "No, always use pytest instead of unittest",
    IN_OTHER: "From now on always use pnpm instead of npm",
    IN_NEIGHBOUR: "Always use tabs instead of spaces",
}


def lived(root: str) -> Workspace:
    """A workspace after both sessions, ingested: a draft of each."""
    ws = workspace.open_workspace(root)
    play(root, IN_APP, APP, START_MS)
    play(root, IN_OTHER, OTHER, START_MS + 10_000_000)
    workspace.ingest(ws, wait_s=1.0)
    return ws


def play(root: str, session: str, project: str, ms: int) -> None:
    """A session in which a person corrects the agent."""

    def happened(kind: str, after: int, **payload: object) -> dict[str, object]:
        return event.record(
            kind, host="claude", session_id=session, cwd=project, project=project, payload=payload,
            ts_ms=ms + after * 1000,
        )  # fmt: skip

    assert journal.append(root, [
        happened("session_start", 0, source="startup"),
        happened("prompt", 1, prompt="Write the tests"),
        happened("tool_end", 2, tool="Write", file=f"{project}/tests/test_a.py"),
        happened("turn_end", 3, message="Done.", background=[]),
        happened("prompt", 4, prompt=SAID[session]),
        happened("turn_end", 5, message="Changed.", background=[]),
    ])  # fmt: skip
