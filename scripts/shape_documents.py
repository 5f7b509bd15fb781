"""What `--json` prints where a verb puts it together; scripts/shapes.py says which verb prints what."""

from typing import Any

from pydantic import Field

from learnloop.models.base import Document
from learnloop.models.lesson import Lesson
from learnloop.models.patch import Patch
from learnloop.models.preferences import Finding, Preferences, ProjectPatterns
from learnloop.models.turn import TodoSnapshot
from learnloop.service.lessons.upkeep import ExpiringDraft, Proposal
from learnloop.service.patches.block_upkeep import StaleItem
from learnloop.service.patches.file_jobs import PatchResult
from learnloop.service.patches.patch_outcomes import PatchOutcome
from learnloop.service.patches.preview import TargetStatus


class Setting(Document):
    """A setting; its value is of the type that docs/config.md names."""

    key: str
    value: Any
    default: Any
    source: str
    """Where the value comes from: default, file or environment."""
    meaning: str
    variable: str
    """The environment variable that beats the file."""


class Trusted(Document):
    """A project whose own files are read."""

    project: str


class TeamMember(Document):
    """A member of the team's space."""

    id: str
    name: str
    role: str
    gone: bool
    """Always false: who left is not listed."""


class Hooks(Document):
    """Our hooks in one settings file of an agent."""

    path: str
    host: str
    scope: str
    events: tuple[str, ...]
    current: bool
    """Whether every event is there once, with the command that this program would register."""
    error: str


class RecallCost(Document):
    """What agents were told on the latest days on which they were told anything, at most seven."""

    days: int
    sessions: int
    """Sessions that were told something; counted on the day of their first recall."""
    times: int
    """Recalls: one may tell several lessons."""
    tokens: int
    """A token is counted as four characters."""
    stopped: int
    """Calls that were stopped before they ran."""
    judged: int
    """Tellings whose outcome showed, or that a person rated, on whatever day."""
    heeded: int


class AtStart(Document):
    """What agents are told when a session starts here."""

    told: list[str]
    """The ids of lessons and confirmed preferences, in order."""
    left_out: list[str]
    """Those that the budget has no room for."""
    tokens: int
    budget: int
    says: list[str]
    """The words of those that are told, each with its short id, then of those left out."""


class Status(Document):
    """How things stand."""

    version: str
    root: str
    summary: str
    """The sentence that the console shows too."""
    hooks: tuple[Hooks, ...]
    recording: bool
    silenced_by: list[str]
    recalling: bool
    last_capture: str | None
    drafts: int
    active: int
    journal_lines: int
    """Events that are not ingested yet."""
    outdated: bool
    """History was read by an older detector: learn ingest --all."""
    recall_cost: RecallCost
    at_start: AtStart
    reading: str
    """How a model reads along, what today cost, and what rests and why."""


class Ingested(Document):
    """What was new."""

    events: int
    feedback: dict[str, int]
    """How many of each category."""
    new_drafts: int
    outdated: bool


class Calls(Document):
    """How often a tool was called."""

    calls: int
    failed: int


class Subagent(Document):
    """A subagent of a session."""

    id: str
    type: str
    parent: str | None
    calls: int
    failed: int
    started: str
    ended: str | None


class Hooked(Document):
    """How long hooks took, in milliseconds."""

    p50: float | None
    p95: float | None


class SessionNow(Document):
    """A session as it stands."""

    id: str
    host: str
    project: str
    branch: str | None
    transcript_path: str
    started: str
    last_seen: str
    ended: str | None
    phase: str
    """Working, tool, permission, idle, finished, interrupted or vanished."""
    task: str
    asks: str
    """What permission is waited for."""
    prompts: int
    events: int
    tools: dict[str, Calls]
    refusals: int
    recalled: dict[str, int]
    """How often each lesson was told."""
    agents: tuple[Subagent, ...]
    todo_snapshot: TodoSnapshot | None
    hook_ms: Hooked


class Scored(Document):
    """A lesson that was told, with its score in hundredths."""

    id: str
    score: int


class Line(Document):
    """One line of a session's story."""

    id: str
    ts: str
    kind: str
    words: str
    tool: str
    agent: str
    tool_use_id: str
    machine: bool
    """Whether the client wrote it rather than the person."""
    heard: str
    """The feedback that was heard in it."""
    lessons: tuple[Scored, ...]


class ProjectRow(Document):
    """A folder that agents worked in."""

    path: str
    name: str
    sessions: int
    drafts: int
    active: int
    last_seen: str
    recording: bool
    recalling: bool


class Upkeep(Document):
    """What became old, and what is proposed for archiving."""

    archived: int
    proposals: tuple[Proposal, ...]
    expiring: tuple[ExpiringDraft, ...]
    items: tuple[StaleItem, ...]
    """List items in files that are proposed for removal."""


class Block(Document):
    """A block of ours in a file."""

    id: str
    intact: bool
    """Whether it stands there as it was written."""


class PromptFile(Document):
    """A file that an agent reads."""

    path: str
    host: str
    scope: str
    kind: str
    project: str
    name: str
    description: str
    tools: str
    model: str
    writable: bool
    refusal: str
    """Why it is not patched; empty where it may be."""
    readers: tuple[str, ...]
    """The hosts that read it; `host` is the first."""
    blocks: tuple[Block, ...]


class PatchShown(Patch):
    """A patch with how it stands in its files, and whether it helps."""

    standing: tuple[TargetStatus, ...]
    outcome: PatchOutcome


class FileChange(Document):
    """What applying would do to one file."""

    path: str
    sha256: str
    """Of the file as it is."""
    patches: tuple[str, ...]
    """Those that would change it."""
    diff: str
    results: tuple[PatchResult, ...]


class Did(Document):
    """What happened to one file."""

    path: str
    did: str
    sha256_before: str
    sha256_after: str
    backup: str


class PatchEvent(Document):
    """A line of the patches' history."""

    ts: str
    did: str
    patch: str
    by: str
    sentence: str
    results: tuple[Did, ...]


class Discovery(Lesson):
    """A lesson that an agent found out."""

    verifications: int
    rank: float
    """(verifications + 1) · max(0.1, 1 − age in days / 90) · confidence."""
    last_useful: str
    """When it was last rated helpful, or else last made."""


class Recorded(Document):
    """The draft that was made."""

    id: str


class Applying(Document):
    """The lessons for an agent's work."""

    applied: tuple[Lesson, ...]
    total_tokens: int
    formatted: str
    """As the agent would read them."""


class Verdict(Document):
    """A verdict that was given."""

    id: str
    ts: str
    action: str
    lesson_ids: tuple[str, ...]
    args: dict[str, Any]
    by: str
    door: str
    """The way it came in: `console`, `cli` or `plugin`."""
    terminal: str
    parents: tuple[str, ...]
    """The names of the processes above it, the nearest first."""
    claimed: str
    """Why it waits for you; empty for one in effect."""
    undone: bool
    sentence: str


class PreferencesPage(Preferences):
    """Everything that is believed."""

    projects: tuple[ProjectPatterns, ...]
    weak_areas: tuple[Finding, ...]
    """Of agents; `source` is the agent."""


class AskedRequest(Document):
    """What a model would be asked; with an `answer` added, a line for `learn facts answers`."""

    id: str
    session_id: str
    project: str
    model: str
    stage: str
    """extract: facts in prompts · merge: what becomes of the facts of a session."""
    system: str
    """The instructions."""
    text: str
    """The data, on standard input."""
    schema_: dict[str, Any] = Field(alias="schema")
    """The JSON schema of an answer."""
    items: dict[str, str]
    """The ids of the prompts, or facts, by the names that they have in the text."""
