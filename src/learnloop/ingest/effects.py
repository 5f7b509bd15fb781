"""Effects: what the reducer asks of the store. `ingest.run` carries them out."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from learnloop.learn.lessons.acts import AgentCall
from learnloop.models.fact import Judged

Doc = dict[str, Any]


class UpsertDocument(NamedTuple):
    """A document of a kind as it is now; a later one of the same id replaces it."""

    table: str
    id: str
    doc: Doc


@dataclass(slots=True)
class FeedbackHeard:
    """Feedback, and what may be learned from it: drafts at once, or a sighting that may become one."""

    doc: Doc
    drafts: list[Doc] = field(default_factory=list)
    sighting: Doc | None = None
    """{key, lesson}: the fingerprint, and the draft to make once the correction repeats."""


class FeedbackWithdrawn(NamedTuple):
    """Inferred feedback that turned out to be wrong."""

    id: str


class SetAside(NamedTuple):
    """What goes to the quarantine: an offer that cannot be read, or an event of which no task can be made."""

    source: str
    """`block` or `task`, and where it comes from."""
    words: str
    reason: str


class TurnUnclear(NamedTuple):
    """A turn was left without an end, or hooks do not tell all of it (`ingest.interruptions`)."""

    host: str
    session_id: str
    prompt_id: str
    transcript_path: str
    cwd: str
    project: str
    turn_id: str
    since: str
    """When it began; empty where no hook reported its prompt."""
    until: str


class DecisionMade(NamedTuple):
    """A person's decision."""

    event: Doc
    claimed: str = ""
    """Why it has no effect until a person accepts it."""


class DecisionClaimed(NamedTuple):
    """A decision that was in effect turns out to fall into an agent's call."""

    id: str
    reason: str


class LessonRecalled(NamedTuple):
    """A lesson was shown to an agent."""

    lesson_id: str
    ts: str
    session_id: str = ""
    stopped: AgentCall | None = None
    """The call that was denied with it."""
    is_unwanted: bool = False
    """Whether the hook denied it as one that the lesson does not want."""
    is_reminder: bool = False
    """Whether it was shown because it was due when the agent ended."""


class CommandRan(NamedTuple):
    """The person's own command ran at the end of a turn."""

    lesson_id: str
    session_id: str
    passed: bool


class SessionTold(NamedTuple):
    """A session that was told lessons, as it is after these events."""

    id: str
    project: str
    last_seen: str
    is_over: bool
    lesson_ids: list[str]
    stopped: list[tuple[list[str], AgentCall]]
    """The calls that were denied, with the lessons they were denied for."""


class CallMade(NamedTuple):
    """An agent made a call after it was told lessons."""

    ts: str
    session_id: str
    turn_id: str
    call: AgentCall
    lesson_ids: list[str]
    """Those that this agent was told."""
    heard: list[str]
    """Those that any agent of the session was told."""
    held: Sequence[str] = ()
    """Those that were held back from the session."""
    moments: Sequence[list[Any]] = ()
    """The moments of experiments in its turn: [turn, lessons]."""
    prompt: str = ""
    """What the person typed in its turn."""


class ClaimMade(NamedTuple):
    """An agent that was told lessons says that it is done."""

    ts: str
    session_id: str
    turn_id: str
    lesson_ids: list[str]
    """All lessons that the session was shown so far."""


class PersonComplained(NamedTuple):
    """A remark that corrects or rejects what an agent did, or says that it was said before."""

    event_id: str
    ts: str
    session_id: str
    project: str
    words: str
    turn_id: str
    """The turn that it is about."""
    calls: list[AgentCall]
    """The calls of that turn."""
    lesson_ids: list[str]
    """All lessons that the session was shown so far, or would have been."""
    is_plain: bool = True
    """Whether its words alone show that it complains."""
    moments: Sequence[list[Any]] = ()
    """The moments of experiments that it may be about: [turn, lessons]."""


class MomentMarked(NamedTuple):
    """Something that was heard after a turn counts for its moments of experiments."""

    id: str
    name: str
    """The field: `own`, `done`, `corrected` or `reached` (`ingest.trial_moments`)."""
    value: Any


class TurnFinished(NamedTuple):
    """A turn that wrote files is over: CRITICAL lessons that were not recalled in time are looked for."""

    session_id: str
    project: str
    started: str
    ended: str
    files: list[str]
    heard: list[str]
    """All lessons that the session was shown so far."""


@dataclass(slots=True)
class HookStats:
    """One day of hooks: counts by kind, latencies in buckets, errors by event, and what recalls told."""

    day: str
    last: str = ""
    kinds: dict[str, int] = field(default_factory=dict)
    latencies: dict[str, list[int]] = field(default_factory=dict)
    errors: dict[str, int] = field(default_factory=dict)
    told: dict[str, int] = field(default_factory=dict)
    """Sums of what `recalls.count` counts."""


class TallyChanged(NamedTuple):
    """A turn counts otherwise than before: shares to subtract, shares to add (see `ingest.agents`)."""

    project: str
    host: str
    started: str
    before: list[list[Any]]
    after: list[list[Any]]


class AgentRemarked(NamedTuple):
    """A correction that an agent was given."""

    agent: str
    project: str
    host: str
    remark: Doc


class RemarkWithdrawn(NamedTuple):
    """What an agent was given was no correction after all."""

    agent: str
    project: str
    host: str
    id: str


class TraitSignalled(NamedTuple):
    """A remark that speaks for a side of a trait."""

    trait: str
    signal: Doc


class WishSighted(NamedTuple):
    """A wish that becomes a draft once another session repeats it, in a prompt that judges nothing."""

    sighting: Doc
    """{key, lesson}, as in `FeedbackHeard`."""
    words: str
    """The whole prompt."""


class DraftOffered(NamedTuple):
    """A draft that no feedback led to: of a prompt's standing words, of an agent's block, or a discovery."""

    lesson: Doc


class PromptJudged(NamedTuple):
    """What a model says that a prompt says of the turn before it."""

    judged: Judged
    model: str
    turn: Doc | None
    """That turn, judged already, where the session's view holds it still."""


class FactsRead(NamedTuple):
    """What a model read in prompts."""

    run: Doc
    facts: list[tuple[Doc, Doc | None, list[str]]]
    """Each fact, the draft that it may become, and the ids of the facts that it was merged from."""
    left: list[str]
    """Ids of facts that the second stage left out."""
    judged: Sequence[Judged] = ()


Effect = (
    UpsertDocument | FeedbackHeard | FeedbackWithdrawn | TurnUnclear | DecisionMade
    | DecisionClaimed | LessonRecalled | CommandRan | CallMade | ClaimMade | PersonComplained | MomentMarked
    | TurnFinished | PromptJudged | SessionTold | HookStats | TallyChanged | AgentRemarked
    | TraitSignalled | WishSighted | DraftOffered | SetAside | FactsRead
)  # fmt: skip


BOUNDS_MS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 200, 500, 1000)
"""Upper bounds of the buckets; one more bucket holds the rest."""


def bucket(took_ms: float) -> int:
    """The number of the bucket that a time falls into."""
    return bisect_left(BOUNDS_MS, took_ms)
