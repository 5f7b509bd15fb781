"""What events ask of the store: the reducer's output, applied by `ingest.apply`."""

from dataclasses import dataclass, field
from typing import Any

Doc = dict[str, Any]


@dataclass(slots=True)
class Put:
    """A document of a shard as it is now; a later one of the same id replaces it."""

    table: str
    id: str
    doc: Doc


@dataclass(slots=True)
class Heard:
    """Feedback, with what may be learned from it: a draft at once, or a sighting that may become one."""

    table: str
    doc: Doc
    draft: Doc | None = None
    sighting: Doc | None = None


@dataclass(slots=True)
class Withdrawn:
    """Feedback that was concluded, not said, and is not so after all."""

    table: str
    id: str


@dataclass(slots=True)
class Left:
    """A turn without an end was left: its transcript may tell why (`ingest.interruptions`)."""

    host: str
    session_id: str
    prompt_id: str
    transcript_path: str
    cwd: str
    project: str


@dataclass(slots=True)
class Decided:
    """A person's decision."""

    event: Doc


@dataclass(slots=True)
class Recalled:
    """A lesson was told to an agent."""

    lesson_id: str
    ts: str
    session_id: str = ""


@dataclass(slots=True)
class Judged:
    """A turn that is over, with what it says of lessons that were told in it, and of those that were not."""

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
    """All lessons that the session was told so far."""


@dataclass(slots=True)
class Measured:
    """What one day's hooks did: counts by kind, latencies in buckets, errors by event."""

    day: str
    last: str = ""
    kinds: dict[str, int] = field(default_factory=dict)
    latencies: dict[str, list[int]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Tallied:
    """A turn counts otherwise than before: shares to take out, shares to add (see `ingest.agents`)."""

    project: str
    host: str
    started: str
    before: list[list[Any]]
    after: list[list[Any]]


@dataclass(slots=True)
class Remarked:
    """A correction that an agent was given."""

    agent: str
    project: str
    host: str
    remark: Doc


@dataclass(slots=True)
class Signalled:
    """A remark that speaks for a side of a trait."""

    trait: str
    signal: Doc


@dataclass(slots=True)
class Offered:
    """A draft that an agent offers: a block that it printed, or a discovery."""

    lesson: Doc


@dataclass(slots=True)
class Refused:
    """What an agent offered and nobody can read: its words, where they stood and why it is not taken."""

    source: str
    words: str
    reason: str


Effect = (
    Put | Heard | Withdrawn | Left | Decided | Recalled | Judged | Measured | Tallied | Remarked | Signalled
    | Offered | Refused
)  # fmt: skip
