"""How often a person corrected the agent in some sessions, and what they said more than once."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from learnloop.ingest import statement_index
from learnloop.learn.hear.prompts import CORRECTING
from learnloop.learn.lessons import similarity
from learnloop.learn.profile import remark_groups
from learnloop.models.base import Document
from learnloop.service.elapsed import span
from learnloop.service.lessons import documents, rows
from learnloop.service.lessons.row import Row
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import clock
from learnloop.wire.text import cut

MOST = 9
"""How many of the things said more than once are shown."""
_QUOTE = 200
_Doc = dict[str, Any]


class Repeated(Document):
    """One thing that a person said more than once."""

    id: str
    """Of the lesson."""
    short: str
    times: int
    quote: str
    """The newest of the person's words for what the lesson says."""
    folder: str = ""
    """The name of the project that the lesson comes from."""
    projects: int = 1
    """In how many projects it was said."""
    others: tuple[str, ...] = ()
    """Drafts of other projects that say the same."""
    approved: bool = False
    """Whether it is a lesson in use already."""
    needs_words: bool = False


class RepeatedCorrections(Document):
    """What the sessions of a backfill say about the person."""

    corrections: int = 0
    ms: int = 0
    """From the beginning of the first session to the end of the last one."""
    things: int = 0
    """How many things were said more than once."""
    repeated: tuple[Repeated, ...] = ()
    """The most frequent of them."""
    covered: int = 0
    """RepeatedCorrections that repeat one of `repeated`: each but the first."""

    def __str__(self) -> str:
        if not self.corrections:
            return "No correction of yours is in these sessions."
        more = f"{_many(self.things, 'thing')} more than once" if self.things else "nothing more than once"
        return f"You corrected your agents {_many(self.corrections, 'time')} in {span(self.ms)}; {more}."

    @property
    def share(self) -> str:
        """What the repeated things would have covered; empty where there are none."""
        if not self.repeated:
            return ""
        they = "it" if len(self.repeated) == 1 else f"these {len(self.repeated)}"
        percent = round(100 * self.covered / self.corrections)
        return (
            f"Kept after the first time, {they} would have covered "
            f"{self.covered:,} of the {_many(self.corrections, 'correction')} ({percent} %)."
        )


def corrections(ws: Workspace, sessions: Collection[str], ms: int) -> RepeatedCorrections:
    """Count the person's corrections in some sessions, which span so many milliseconds."""
    feedback = list(Store(ws.root).all_documents("feedback"))
    remarks = {doc["id"]: doc for doc in feedback if _is_correction(doc, sessions)}
    things = [thing for thing in _things(ws, feedback, remarks) if len(thing.ids) > 1]
    things.sort(key=lambda thing: (-len(thing.ids), thing.row.statement))
    shown = things[:MOST]
    again = (sorted(thing.ids, key=lambda key: (remarks[key]["timestamp"], key))[1:] for thing in shown)
    return RepeatedCorrections(
        corrections=len(remarks), ms=ms, things=len(things), covered=len(set(chain.from_iterable(again))),
        repeated=tuple(_repeated(thing, remarks) for thing in shown),
    )  # fmt: skip


class _Thing(NamedTuple):
    row: Row
    """The lesson to keep."""
    others: list[str]
    """Lessons that say the same of other projects."""
    ids: set[str]
    """The corrections that say it."""
    quote: str


def _is_correction(doc: _Doc, sessions: Collection[str]) -> bool:
    is_said = doc["feedback_category"] in CORRECTING and not doc.get("inferred")
    return is_said and doc["session_id"] in sessions


def _things(ws: Workspace, feedback: Iterable[_Doc], remarks: Mapping[str, _Doc]) -> Iterator[_Thing]:
    """The drafts and approved lessons in the person's words; what says the same is one thing."""
    lessons = documents.lessons(ws.root)
    row_by_id = {row.id: row for row in rows.rows(ws, None)}
    ids = {key: said & remarks.keys() for key, said in _said(lessons, feedback).items()}
    usable = (row for row in row_by_id.values() if row.is_persons and row.status in ("draft", "active"))
    texts = [
        remark_groups.Remark(row.id, statement_index.normal(lessons[row.id])) for row in usable if ids[row.id]
    ]
    for cluster in remark_groups.cluster(texts):
        best = max(cluster.ids, key=lambda key: (row_by_id[key].status == "active", len(ids[key]), key))
        others = [key for key in cluster.ids if key != best and row_by_id[key].status == "draft"]
        mine = set().union(*(ids[key] for key in cluster.ids))
        yield _Thing(row_by_id[best], others, mine, _quote(row_by_id[best], lessons[best]))


def _quote(row: Row, lesson: _Doc) -> str:
    """The newest of the person's words that say what the lesson says; else its own."""
    said = (seen["quote"] for seen in reversed(lesson.get("evidence", ())))
    alike = (quote for quote in said if row.needs_words or similarity.says_the_same(quote, row.statement))
    return next(alike, row.statement)


def _said(lessons: Mapping[str, _Doc], feedback: Iterable[_Doc]) -> Mapping[str, set[str]]:
    """The remarks that each lesson comes from, by what is stored with the remark and with the lesson."""
    ids: defaultdict[str, set[str]] = defaultdict(set)
    for doc in feedback:
        ids[str(doc.get("extracted_lesson") or "")].add(doc["id"])
    for key, lesson in lessons.items():
        ids[key].update(seen["event_id"] for seen in lesson.get("evidence", ()))
    for key, lesson in lessons.items():
        if lesson.get("superseded_by"):
            ids[lesson["superseded_by"]] |= ids[key]
    return ids


def _repeated(thing: _Thing, remarks: Mapping[str, _Doc]) -> Repeated:
    row = thing.row
    projects = {remarks[key]["project_path"] for key in thing.ids}
    return Repeated(
        id=row.id, short=row.short, times=len(thing.ids), quote=cut(" ".join(thing.quote.split()), _QUOTE),
        folder=row.folder, projects=len(projects), approved=row.status == "active",
        needs_words=row.needs_words, others=tuple(thing.others),
    )  # fmt: skip


def span_of(times: Iterable[str]) -> int:
    """The milliseconds between the first and the last of some ISO times."""
    every = sorted(times)
    return clock.parse_ms(every[-1]) - clock.parse_ms(every[0]) if every else 0


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
