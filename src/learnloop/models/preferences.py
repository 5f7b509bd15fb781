"""What is believed of a person's ways and of projects, from which words, and what a person has confirmed."""

from typing import Literal

from pydantic import Field

from learnloop.models.base import Document
from learnloop.models.lesson import Lesson

TraitName = Literal["verbosity", "autonomy", "explanation_depth"]
BeliefKind = Literal["trait", "convention", "tech_stack", "common_mistake", "weak_area"]
Category = Literal["style", "behavior", "tooling", "communication"]


class Belief(Document):
    """Something that agents are told at their start once a person has confirmed it, and only then."""

    id: str
    """26 base32 characters, derived from what it is about."""
    kind: BeliefKind
    subject: str
    """What it is about: a trait's name, a convention's source."""
    value: str = ""
    """Of a trait its value."""
    statement: str
    """What agents are told, one sentence."""
    project: str = ""
    """Empty where it holds everywhere."""
    agent: str = ""
    """The one agent that it is told to; empty for all."""


class Signal(Document):
    """One remark that speaks for a side of a trait."""

    side: str
    quote: str
    session_id: str
    event_id: str
    ts: str
    project: str = ""
    weight: float = 1.0
    """1 on the day it was said, halved with every half-life since."""


class Trait(Document):
    """One trait: what the remarks say, and what the person has confirmed."""

    id: str
    name: TraitName
    value: str = "unknown"
    """What the remarks speak for now."""
    strength: float = Field(default=0.0, ge=0, le=1)
    """How clearly they do: see `learn.profile.traits.strength`."""
    statement: str = ""
    """What agents would be told; empty while the value is unknown."""
    sides: tuple[str, str]
    """The two values that remarks can speak for."""
    evidence: dict[str, tuple[Signal, ...]] = Field(default_factory=dict)
    """By side, newest first."""
    conflict: bool = False
    """Both sides have been asked for: the person has to say which holds, and when."""
    confirmed: bool = False
    confirmed_value: str | None = None
    confirmed_statement: str | None = None
    """What agents are told now."""
    dismissed: bool = False
    """The person has dropped the value that the remarks speak for."""
    choices: dict[str, str] = Field(default_factory=dict)
    """Every value that can be confirmed, with its statement."""


class RecurringCorrection(Document):
    """A correction that came again and again."""

    id: str
    pattern: str
    """A readable statement."""
    count: int
    last_seen: str
    examples: tuple[str, ...] = ()
    """The newest, as they were said."""
    first_seen: str = ""
    scope: Literal["global", "project"] = "project"
    projects: tuple[str, ...] = ()
    counts: dict[str, int] = Field(default_factory=dict)
    """How often it was said in each project."""
    sessions: int = 1
    category: Category = "behavior"
    confidence: float = Field(default=0.0, ge=0, le=1)
    lesson_id: str | None = None
    """The draft or lesson that it has become or strengthened."""


class Side(Document):
    """One side of a contradiction."""

    lesson_id: str
    statement: str
    status: str
    project: str = ""
    quote: str = ""
    ts: str = ""


class Contradiction(Document):
    """Two rules that cannot both hold where both hold."""

    id: str
    kind: Literal["polarity", "tool"]
    reason: str
    """Why they contradict each other, in words."""
    one: Side
    other: Side
    """The newer one."""


class Preferences(Document):
    """Everything about a person's ways."""

    verbosity: Trait
    autonomy: Trait
    explanation_depth: Trait
    recurring_corrections: tuple[RecurringCorrection, ...] = ()
    """The most frequent first."""
    rules: tuple[Lesson, ...] = ()
    """Lessons of kind preference that are drafts or active, active ones first."""
    contradictions: tuple[Contradiction, ...] = ()
    last_updated: str = ""
    """When the newest remark was made that counts here."""

    @property
    def traits(self) -> tuple[Trait, Trait, Trait]:
        """The three traits."""
        return self.verbosity, self.autonomy, self.explanation_depth


class Finding(Document):
    """One line about a project, told to agents once a person has confirmed it."""

    id: str
    kind: BeliefKind
    statement: str
    """What agents are told, or would be."""
    source: str = ""
    """Where it comes from: a file of the project, or remarks."""
    count: int = 1
    """How often it was seen."""
    examples: tuple[str, ...] = ()
    confirmed: bool = False
    dismissed: bool = False
    gone: bool = False
    """It was confirmed, and the project no longer says it."""


class ProjectPatterns(Document):
    """What is known of one project."""

    project_path: str
    project_hash: str
    """First 16 hex digits of the path's SHA-256."""
    trusted: bool = False
    """Whether the project's own files may be read."""
    conventions: tuple[Finding, ...] = ()
    """Lines about its conventions and tools that were confirmed under an earlier version."""
    learned_rules: tuple[str, ...] = ()
    """The statements of its active lessons."""
    common_mistakes: tuple[Finding, ...] = ()
    """Corrections that keep coming in this project."""
    last_updated: str = ""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that can be confirmed."""
        return (*self.conventions, *self.common_mistakes)
