"""The verdicts of the demo's person, and the lessons that they are about."""

from collections.abc import Iterable, Iterator
from typing import Any

from learnloop.errors import Refused
from learnloop.learn.lessons import call_patterns, fingerprint, triggers
from learnloop.models import ids
from learnloop.service.workspace import Workspace
from learnloop.wire import clock

Verdict = tuple[str, str, dict[str, Any]]
"""Action, lesson id and the action's arguments."""

_PROMOTED = (
    "use tenacity instead",
    "never mock the database",
    "always add a down migration",
    "don't use print for logging",
    "use uv instead of pip",
    "use vitest instead of jest",
    "use the useQuery hook",
    "never use select *",
    "always do a dry run",
    "use fmt.Errorf",
    "use relative links",
    "never run terraform apply",
    "use a moved block",
)
FIRST: tuple[Verdict, ...] = (
    *(("promote", quote, {}) for quote in _PROMOTED),
    ("reject", "use one JSON array", {"reason": "only for this command"}),
    ("reject", "keep every docs page under", {"reason": "no longer so"}),
)
"""The verdicts on the drafts of the first weeks, by words of their evidence."""
LATER: tuple[Verdict, ...] = (
    ("archive", "use relative links", {"reason": "superseded"}),
    ("pause", "use a moved block", {}),
    ("promote", "conftest.py takes it for granted", {}),
    ("edit", "always do a dry run", {
        "kind": "checklist", "priority": "CRITICAL",
        "content": {
            "title": "Before a backfill",
            "items": [
                "Dry run over one day, row counts compared",
                "Target partitions are listed in the ticket",
                "Alerts of the pipeline are muted until the end",
                "A way back is written down",
            ],
            "format": "checkbox",
        },
    }),
    ("edit", "never run terraform apply", {
        "kind": "warning", "priority": "CRITICAL",
        "content": {
            "risk": "An apply that nobody has read takes the network down from the inside",
            "severity": "critical",
            "detection": "The plan shows resources that are replaced or destroyed",
            "mitigation": "Show the plan and wait for a yes",
        },
    }),
    ("edit", "always add a down migration", {
        "kind": "requirement",
        "content": {
            "constraint": "Each up migration has a down migration beside it",
            "rationale": "A release is rolled back within minutes or not at all",
            "validation": "make migrate-check",
        },
    }),
    ("edit", "use the useQuery hook", {
        "kind": "pattern",
        "content": {
            "situation": "A component needs data of the server",
            "action": "Take it with useQuery, under a key that names its parameters",
            "rationale": "Loading, errors and retries look the same everywhere",
            "example": "The order list loaded twice and showed the older answer",
        },
    }),
    ("scope", "use fmt.Errorf", {"scope": "global"}),
)  # fmt: skip
"""The verdicts of the last days, by words of a lesson's evidence; the edits make one of each richer kind."""

_STATED = (
    "Read the test output before you call a change done.",
    "Ask before you add a dependency.",
    "Name the reason of a change in its commit message.",
    "Never write a secret into a file, not even for a try.",
)
"""Rules for every agent, from `learn feedback`."""


def on_lessons(ws: Workspace, verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """The verdicts of a table, with the id of each lesson in place of its words."""
    return ((action, _lesson_of(ws, quote), args) for action, quote, args in verdicts)


def stated(ms: int) -> Iterator[Verdict]:
    """The rules that were stated, with ids that are the same at every run."""
    return (stated_rule(rule, ms) for rule in _STATED)


def stated_rule(rule: str, ms: int, *, lesson_id: str = "", project: str = "") -> Verdict:
    """The verdict that states a rule, for all projects or for one."""
    ts, lesson_id = clock.iso(ms), lesson_id or ids.draft_id(rule, "told")
    scope = "project" if project else "global"
    return "add", lesson_id, {"lesson": {
        "id": lesson_id, "status": "active", "kind": "preference", "statement": rule, "scope": scope,
        "project": project, "title": rule.rstrip("."), "confidence": 1.0, "source": "told", "created": ts,
        "updated": ts, "fingerprint": fingerprint.fingerprint_of(rule, scope, project),
        "reviewed_at": ts, "triggers": triggers.derive(rule).model_dump(mode="json"),
        **{name: side.as_json() for name, side in call_patterns.derive(rule)._asdict().items()},
    }}  # fmt: skip


def _lesson_of(ws: Workspace, quote: str) -> str:
    """The id of the lesson with these words in its evidence."""
    from learnloop.service.lessons import documents

    for lesson_id, doc in documents.lessons(ws.root).items():
        if any(quote in evidence["quote"] for evidence in doc.get("evidence", ())):
            return lesson_id
    raise Refused(f"the demo has no lesson from {quote!r}", "its scenes and its verdicts do not match")
