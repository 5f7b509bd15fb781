"""The lesson: the one document for what can be recalled."""

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from learnloop.models import usage_counts
from learnloop.models.base import Document
from learnloop.models.kinds import MODELS, Content
from learnloop.models.lesson_check import MOST_RULES, CheckRule, OwnCommand, reads_first, upgraded

Status = Literal["draft", "active", "archived", "rejected"]
ArchivedReason = Literal["expired", "unused", "superseded", "harmful"]
Kind = Literal["checklist", "pattern", "warning", "requirement", "preference", "fact"]
Priority = Literal["CRITICAL", "HIGH", "MEDIUM", "LOW"]
Scope = Literal["global", "project", "module"]
Trust = Literal["user", "agent", "external"]


class Triggers(Document):
    """When a lesson matters."""

    tool_names: tuple[str, ...] = ()
    file_patterns: tuple[str, ...] = ()
    command_patterns: tuple[str, ...] = ()
    action_keywords: tuple[str, ...] = ()
    context_keywords: tuple[str, ...] = ()
    agent_names: tuple[str, ...] = ()


class Score(Document):
    """How promising a draft is, each part 0–1."""

    relevance: float = 0.0
    quality: float = 0.0
    applicability: float = 0.0
    overall: float = 0.0


class Usage(Document):
    """What became of a lesson's recalls."""

    recalled: int = 0
    told_sessions: int = 0
    """Sessions that were told it; each has one outcome: heeded, ignored, corrected, or none of them."""
    heeded: int = 0
    """A wanted act followed, what was due was done, or an unwanted act was stopped and left."""
    held: int = 0
    """Times that its check was kept: a call that breaks it was stopped and left, or what is due was done."""
    broken: int = 0
    ordered: int = 0
    """Calls that break it and that the person's prompt named: no breach."""
    ignored: int = 0
    """The unwanted act happened after it was told, or a turn ended with it due."""
    corrected: int = 0
    """The person complained about the same thing after it was told, and no act shows why."""
    helpful: int = 0
    harmful: int = 0
    recurred: int = 0
    """Complaints about what it says since it is in use, told or not."""
    stopped: int = 0
    """Calls that it stopped before they ran."""
    retried: int = 0
    """Of these, how many were made again, unordered."""
    last_recalled: str | None = None
    last_useful: str | None = None
    """When a person last rated it helpful."""
    silent: int = 0
    """Times a file of a CRITICAL lesson was touched in a session that was never told it."""

    @model_validator(mode="before")
    @classmethod
    def _with_present_names(cls, values: Any) -> Any:
        return usage_counts.current(values) if isinstance(values, dict) else values


class Note(Document):
    """Something about a lesson's recalls that a person should look at."""

    kind: Literal["silent", "came_back", "ignored"]
    ts: str
    session_id: str
    words: str = ""
    """The file that was touched, the command that was run, or what was said."""


class Evidence(Document):
    """Where a lesson comes from: the words, and the turn before them."""

    quote: str
    whole: str = ""
    """All of what the words stood in, where they may be somebody else's."""
    session_id: str
    event_id: str
    ts: str
    agent: str = "main"
    task: str = ""
    """What the turn before was asked."""
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    refusal: str = ""
    transcript_path: str = ""
    backfilled: bool = False
    """Read from a transcript afterwards, not recorded while it happened."""


class ClaimedVerdict(Document):
    """A decision that waits for a person, because an agent may have made it."""

    decision: str
    ts: str
    action: str
    reason: str
    words: str = ""
    """What it would change, as `statement: …, reason: …`."""


class Lesson(Document):
    """What can be recalled: draft → active → archived, or draft → rejected."""

    id: str
    """4 to 26 base32 characters, derived from the source event and rule; a prefix of 4–6 identifies it."""
    status: Status = "draft"
    archived_reason: ArchivedReason | None = None
    paused: bool = False
    kind: Kind = "fact"
    statement: str = ""
    """One present-tense sentence, what is told to the agent."""
    needs_words: bool = False
    """No rule could make a statement: a person writes it when promoting."""
    title: str = Field(default="", max_length=100)
    description: str = Field(default="", max_length=1000)
    content: Content | None = None
    """What the kind holds besides the statement; facts and preferences hold nothing more."""
    priority: Priority = "MEDIUM"
    proposed_priority: Priority | None = None
    """What repetition proposes; a person confirms it by setting the priority."""
    category: str = "general"
    triggers: Triggers = Triggers()
    stops: bool = False
    """A call that breaks its check is stopped once per session, before it runs."""
    reminds: bool = False
    """An agent that ends with something due, or broken, goes on once per session."""
    check: tuple[CheckRule, ...] = Field(default=(), max_length=MOST_RULES)
    """What an agent's acts are held to; `stops` and `reminds` say how."""
    run: OwnCommand | None = None
    """Only a person at a terminal sets it, and it stays on this machine."""
    scope: Scope = "project"
    project: str = ""
    """The folder; for a project of which this machine has no checkout, the name that travels."""
    repo: str = ""
    """The name that travels, as `github.com/acme/shop`: it holds in every checkout of that repository."""
    path: str = ""
    """Below the project, for scope `module`."""
    context: str = ""
    keywords: tuple[str, ...] = ()
    example: str | None = None
    counter_example: str | None = None
    confidence: float = Field(default=0.5, ge=0, le=1)
    score: Score = Score()
    usage: Usage = Usage()
    notes: tuple[Note, ...] = ()
    """The last few, oldest first."""
    source: str = ""
    """The rule or import it comes from."""
    trust: Trust = "user"
    evidence: tuple[Evidence, ...] = ()
    fingerprint: str = ""
    """Normalised statement and scope, hashed: what makes two drafts the same."""
    seen_count: int = 1
    held_back: int = 0
    """Sightings since it was rejected."""
    created: str
    updated: str
    reviewed_at: str | None = None
    expires_at: str | None = None
    superseded_by: str | None = None
    contradicts: str = ""
    """The lesson that it rules out, as the model says that read it."""
    rejection_reason: str | None = None
    kept_at: str | None = None
    """When a person last turned down the proposal to archive it."""
    claims: tuple[ClaimedVerdict, ...] = ()
    """Decisions about it that wait for a person."""

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """A lesson of a document, also of one that an earlier version wrote."""
        return super().model_validate(upgraded(obj) if isinstance(obj, dict) else obj, **options)

    @property
    def gate(self) -> bool:
        """Whether the first call that it names is stopped, so that it is read before."""
        return any(reads_first(rule.as_json()) for rule in self.check)

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        if self.content is not None and not isinstance(self.content, MODELS.get(self.kind, ())):
            raise ValueError(f"the content is not that of a {self.kind}")
        return self
