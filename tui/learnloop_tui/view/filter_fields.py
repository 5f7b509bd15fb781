"""What the filter lines can be asked: fields of agents, beliefs and patches. Pure."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from learnloop.service.lessons import filters
from learnloop.service.lessons.filters import FilterField
from learnloop.service.memory import memory_list
from learnloop.service.tasks import task_list
from learnloop.wire import clock


def _of(row: Any, name: str) -> str:
    return str(getattr(row.patch, name)) if row.patch is not None else ""


def _flags_of(row: Any) -> tuple[str, ...]:
    session = row.session
    flags = {
        "failed": any(failures for _, failures in session.tools.values()),
        "refused": session.refusals,
        "told": session.recalls,
    }
    return tuple(name for name, holds in flags.items() if holds)


LESSONS = filters.FIELDS
"""Of lessons, as on the command line."""

AGENTS = (
    FilterField("agent", "word", "the agent's name", "agent:reviewer", lambda row: row.figures.agent_name),
    FilterField("project", "word", "the project's folder, where they are apart", "project:shop",
          lambda row: row.figures.project),
    FilterField("host", "word", "the client that ran it", "host:codex", lambda row: row.figures.host),
    FilterField("area", "word", "what it worked on", "area:tests",
          lambda row: tuple(area.area for area in row.figures.areas)),
    FilterField("is", "word", "whether it had enough turns to say something", "is:enough",
          lambda row: "enough" if row.figures.has_share else "few", ("enough", "few")),
    FilterField("runs", "number", "how often it was called", "runs:>10",
                lambda row: row.figures.total_invocations),
    FilterField("good", "number", "turns that you praised, or left for something else", "good:>5",
          lambda row: row.figures.success_count),
    FilterField("revised", "number", "turns that were corrected", "revised:>0",
          lambda row: row.figures.revision_count),
    FilterField("cancelled", "number", "turns that were cancelled", "cancelled:>0",
          lambda row: row.figures.cancellation_count),
    FilterField("corrected", "number", "the share of turns that you corrected, 0–100", "corrected:>30",
          lambda row: None if row.figures.corrected_rate is None
          else round(row.figures.corrected_rate * 100)),
)  # fmt: skip

BELIEFS = (
    FilterField("kind", "word", "what it is about", "kind:trait", lambda row: row.group,
          ("contradiction", "trait", "project", "agent", "recurring")),
    FilterField("status", "word", "its state", "status:open", lambda row: row.state,
          ("open", "told", "dropped", "unknown")),
    FilterField("where", "word", "the project, the agent or the trait", "where:shop", lambda row: row.where),
    FilterField("seen", "number", "from how many remarks", "seen:>2", lambda row: row.seen),
    FilterField("strength", "number", "how much speaks for it, 0–100", "strength:>=70",
                lambda row: row.strength),
)  # fmt: skip

PATCHES = (
    FilterField("agent", "word", "the agent whose file it is", "agent:reviewer",
                lambda row: _of(row, "agent")),
    FilterField("project", "word", "the project's folder", "project:shop", lambda row: _of(row, "project")),
    FilterField("file", "word", "a file that it goes into", "file:AGENTS.md",
          lambda row: tuple(target.path for target in row.patch.targets) if row.patch else ()),
    FilterField("source", "word", "what it comes from", "source:trait", lambda row: _of(row, "source"),
          ("failure", "rule", "trait", "lesson", "correction", "import", "teach")),
    FilterField("is", "word", "the state of its files", "is:conflict", lambda row: row.standing,
          ("planned", "clean", "changed", "outdated", "conflict", "removed", "missing")),
    FilterField("confidence", "number", "how likely it is right, 0–100", "confidence:>=80",
          lambda row: round(row.patch.confidence * 100) if row.patch else None),
    FilterField("seen", "number", "how many remarks are behind it", "seen:>2",
          lambda row: row.patch.evidence_count if row.patch else None),
)  # fmt: skip
"""Of patches, and of the lines of their history."""

SESSIONS = (
    FilterField("status", "word", "what it is doing", "status:working", lambda row: row.phase,
          ("waiting", "tool", "working", "idle", "vanished", "interrupted", "finished")),
    FilterField("project", "word", "the project's folder", "project:shop", lambda row: row.folder),
    FilterField("host", "word", "the client", "host:codex", lambda row: row.session.host),
    FilterField("branch", "word", "the branch", "branch:main", lambda row: row.session.branch),
    FilterField("agent", "word", "a subagent that it started", "agent:reviewer",
          lambda row: tuple(helper.type for helper in row.session.subagents)),
    FilterField("tool", "word", "a tool that it called", "tool:bash", lambda row: tuple(row.session.tools)),
    FilterField("is", "word", "what else is true of it", "is:failed",
                _flags_of, ("failed", "refused", "told")),
    FilterField("prompts", "number", "how many prompts were typed", "prompts:>5",
                lambda row: row.session.prompts),
    FilterField("last", "age", "when something happened last", "last:<2h",
                lambda row: clock.iso(row.session.last_ms)),
)  # fmt: skip

EXPERIMENTS = (
    FilterField("state", "word", "whether it runs", "state:running", lambda row: row.state,
                ("running", "paused", "decided", "stopped")),
    FilterField("lesson", "word", "the words of its lesson", "lesson:uv", lambda row: row.statements),
    FilterField("moments", "number", "how many moments there were", "moments:>100",
                lambda row: row.known.moments),
    FilterField("began", "age", "when it was started", "began:<30d",
                lambda row: row.known.experiment.started),
)  # fmt: skip

DAYS = (FilterField("date", "word", "the day", "date:2026-01", lambda row: row.id),)
MEMORY = {"tasks": task_list.FIELDS, "memories": memory_list.FIELDS, "days": DAYS}
"""Of the views of tasks, memories and days."""

PANES = {
    "triage": LESSONS, "lessons": LESSONS, "agents": AGENTS, "preferences": BELIEFS, "patches": PATCHES,
    "sessions": SESSIONS,
    "memory": tuple({field.name: field for fields in reversed(MEMORY.values()) for field in fields}.values()),
    "experiments": EXPERIMENTS,
}  # fmt: skip


def values(field: FilterField, rows: Iterable[Any]) -> list[str]:
    """The values that the rows have in a field, the most frequent first."""
    counts: Counter[str] = Counter()
    for row in rows:
        value = field.read(row)
        counts += Counter((value,) if isinstance(value, str) else value)
    return [value for value, _ in counts.most_common()]
