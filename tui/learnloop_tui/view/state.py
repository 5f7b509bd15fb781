"""What the bridge brings and takes, as frozen values. Nothing here imports Textual or the store."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.service.lessons.row import Row as Row  # noqa: TC001  # imported from here at run time

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from learnloop.models import Lesson
    from learnloop.service.health.health_report import Health
    from learnloop.service.recall.backtest import Doubt

STRONGEST = 20


class Verdict(NamedTuple):
    """What a person decided, on its way to the journal."""

    action: str
    """`promote`, `reject`, `archive`, `restore`, `edit`, `scope`, `pause`, `resume`, `gate`, `rate`, `keep`
    or `merge`."""
    ids: tuple[str, ...]
    args: Mapping[str, Any] = MappingProxyType({})


class Past(NamedTuple):
    """One decision about a lesson, in words."""

    ts: str
    sentence: str
    undone: bool


class DetailLine(NamedTuple):
    """One line of a section of the details: what it is, and how it looks."""

    label: str
    value: str
    look: str = "text"


class Section(NamedTuple):
    """A part of the details that was worked out besides the lesson."""

    title: str
    facts: tuple[DetailLine, ...]
    place: str = "rest"
    """`top`: what one decides by; `rest`: what explains the lesson; `told`: after its triggers."""


class LessonInsights(NamedTuple):
    """What takes longer about a lesson than reading it."""

    facts: tuple[DetailLine, ...] = ()
    """What it costs, and what stands against it, a line each."""
    sections: tuple[Section, ...] = ()
    near: tuple[str, ...] = ()
    """Ids of lessons that say nearly the same, the nearest first."""
    contradicts: tuple[str, str] | None = None
    """The id of a lesson that cannot hold beside it, and why."""
    doubt: Doubt | None = None
    """Why its moments would not have caught what led to it, with others that would have."""


class Detail(NamedTuple):
    """Everything there is to read about one lesson."""

    lesson: Lesson
    strength: str
    outcome: str = ""
    """What telling it led to, in words."""
    past: tuple[Past, ...] = ()
    team: str = ""
    """What three people of the team or more counted, in words."""


class Snapshot(NamedTuple):
    """What was read in one go."""

    rows: tuple[Row, ...] = ()
    """Drafts strongest first, then the others newest first."""
    strongest: int = STRONGEST
    """How many drafts stay unfolded."""
    theme: str = ""
    keys: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """The keys of commands that have others than the table's."""
    wrong_keys: tuple[str, ...] = ()
    """What of the keys in the settings cannot be."""


class Pulse(NamedTuple):
    """The health of hooks and store, read now and then."""

    health: Health
    hooked: bool
    """Some agent reports to this store."""


class Happening(NamedTuple):
    """One event as the live line shows it."""

    ms: int
    kind: str
    project: str
    words: str


class Step(NamedTuple):
    """An undo or a redo: which verdict, and which lessons it is about."""

    words: str
    ids: tuple[str, ...]


class Ahead(NamedTuple):
    """The decision that the next undo or redo is about."""

    id: str
    ms: int
    door: str
    """Where it was given: `console`, `cli` and so on."""
    words: str
    files: tuple[str, ...] = ()
    """The files that the step would write."""


class TranscriptChoice(NamedTuple):
    """A project whose old sessions can be learned from."""

    path: str
    name: str
    sessions: int
    last: str


class Change(NamedTuple):
    """What installing would write."""

    changed: bool
    diff: str
    messages: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()
    """The change in a few sentences."""


class Pending(NamedTuple):
    """A verdict that is shown already and not confirmed yet."""

    ticket: int
    changes: Mapping[str, Mapping[str, Any]]
    """By lesson: the fields of its row that the verdict changes."""
    settled: bool = False
    """Written down: the next load has it."""


def overlay(rows: Sequence[Row], pending: Sequence[Pending]) -> tuple[Row, ...]:
    """The rows as they will be once what is pending is confirmed."""
    changes = {row_id: change for verdict in pending for row_id, change in verdict.changes.items()}
    if not changes:
        return tuple(rows)
    return tuple(row._replace(**changes[row.id]) if row.id in changes else row for row in rows)
