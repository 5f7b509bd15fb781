"""Effects: what the reducer asks of the store. `ingest.apply` carries them out."""

from dataclasses import dataclass, field
from typing import Any

Doc = dict[str, Any]


@dataclass(slots=True)
class UpsertDocument:
    """A document of a shard as it is now; a later one of the same id replaces it."""

    table: str
    id: str
    doc: Doc


@dataclass(slots=True)
class FeedbackHeard:
    """Feedback, and what may be learned from it: a draft at once, or a sighting that may become one."""

    table: str
    doc: Doc
    draft: Doc | None = None
    sighting: Doc | None = None
    """{key, lesson}: the fingerprint, and the draft to make once the correction repeats."""


@dataclass(slots=True)
class FeedbackWithdrawn:
    """Inferred feedback that turned out to be wrong."""

    table: str
    id: str


@dataclass(slots=True)
class TurnAbandoned:
    """A turn without an end was left: its transcript may say why (`ingest.interruptions`)."""

    host: str
    session_id: str
    prompt_id: str
    transcript_path: str
    cwd: str
    project: str


@dataclass(slots=True)
class DecisionMade:
    """A person's decision."""

    event: Doc


@dataclass(slots=True)
class LessonRecalled:
    """A lesson was shown to an agent."""

    lesson_id: str
    ts: str
    session_id: str = ""


@dataclass(slots=True)
class TurnFinished:
    """A turn is over: what was done in it, to judge the lessons that were recalled or missed."""

    turn_id: str
    session_id: str
    project: str
    started: str
    ended: str
    recalled: list[str]
    files: list[str]
    commands: list[str]
    claim: str
    heard: list[str]
    """All lessons that the session was shown so far."""


@dataclass(slots=True)
class HookStats:
    """One day of hooks: counts by kind, latencies in buckets, errors by event."""

    day: str
    last: str = ""
    kinds: dict[str, int] = field(default_factory=dict)
    latencies: dict[str, list[int]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class TallyChanged:
    """A turn counts otherwise than before: shares to subtract, shares to add (see `ingest.agents`)."""

    project: str
    host: str
    started: str
    before: list[list[Any]]
    after: list[list[Any]]


@dataclass(slots=True)
class AgentRemarked:
    """A correction that an agent was given."""

    agent: str
    project: str
    host: str
    remark: Doc


@dataclass(slots=True)
class TraitSignalled:
    """A remark that speaks for a side of a trait."""

    trait: str
    signal: Doc


@dataclass(slots=True)
class DraftOffered:
    """A draft from an agent: a block that it printed, or a discovery."""

    lesson: Doc


@dataclass(slots=True)
class OfferRefused:
    """An offer that cannot be read: its words, where they come from, and the reason."""

    source: str
    words: str
    reason: str


Effect = (
    UpsertDocument | FeedbackHeard | FeedbackWithdrawn | TurnAbandoned | DecisionMade | LessonRecalled
    | TurnFinished | HookStats | TallyChanged | AgentRemarked | TraitSignalled | DraftOffered | OfferRefused
)  # fmt: skip
