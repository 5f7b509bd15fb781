"""One yes: a lesson that is kept settles, in the same decision, whatever else waits that says the same.

Drafts are joined to it, a belief counts as told, a theme's proposal is made no more. The decision carries
them as `also`, by the lesson that stands for them, so one undo takes all of it back.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from learnloop.learn.lessons import meaning, similarity
from learnloop.learn.lessons.meaning import Meaning
from learnloop.learn.profile import beliefs
from learnloop.models import Decision, Lesson
from learnloop.models.lesson_check import CheckRule
from learnloop.service.lessons import documents
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import origin


class _Waiting(NamedTuple):
    """What a lesson may settle."""

    part: Literal["lessons", "beliefs", "patches"]
    id: str
    words: str
    projects: tuple[str, ...]
    """Where it holds; empty: everywhere."""
    lesson_id: str = ""
    """The lesson that it has become already."""


def promote(
    ws: Workspace, ids: str | Sequence[str], statement: str | None = None, *,
    way: Literal["stop", "remind", "tell"] | None = None, check: Sequence[CheckRule] = (),
    others: Sequence[str] = (),
) -> Decision:  # fmt: skip
    """Keep drafts, with all that says the same where they hold; else as `verdicts.promote`.

    With `others`, lessons of other projects, the one draft holds everywhere and stands for them too.
    """
    scope = {"scope": "global", "project": ""} if others else {}
    lessons = [
        lesson.with_(statement=statement or lesson.statement, **scope)
        for lesson in documents.find_all(ws, ids)
    ]
    also = _settled(ws, lessons) if any(lesson.status == "draft" for lesson in lessons) else {}
    for lesson in lessons if others else ():
        settled = also.setdefault(lesson.id, {})
        settled["lessons"] = list(dict.fromkeys([*settled.get("lessons", ()), *others]))
    args: dict[str, Any] = {"also": also} if also else {}
    args |= {"scope": "global"} if others else {}
    return verdicts.promote(ws, ids, statement, way=way, check=check, more=args)


def _settled(ws: Workspace, lessons: Sequence[Lesson]) -> dict[str, dict[str, Any]]:
    """By lesson what it settles: ids of drafts and of patches, beliefs each with the mark of its words."""
    waiting = {thing.id: thing for thing in _waiting(ws, lessons)}
    if not waiting:
        return {}
    index, also = similarity.MeaningIndex(), dict[str, dict[str, Any]]()
    for name, thing in waiting.items():
        index.add(name, meaning.read(thing.words))
    for lesson in lessons:
        similar = {name for _, name in index.nearest(meaning.read(lesson.statement))}
        became = {name for name, thing in waiting.items() if thing.lesson_id == lesson.id}
        names = sorted(
            name for name in similar | became if name in waiting and _covers(lesson, waiting[name].projects)
        )
        if settled := [waiting.pop(name) for name in names]:
            parts = {
                part: [thing.id for thing in settled if thing.part == part] for part in ("lessons", "patches")
            }
            marks = {thing.id: beliefs.mark(thing.words) for thing in settled if thing.part == "beliefs"}
            also[lesson.id] = {name: value for name, value in {**parts, "beliefs": marks}.items() if value}
    return also


def _covers(lesson: Lesson, projects: Sequence[str]) -> bool:
    """Whether a lesson holds in some projects, which are all if there are none."""
    if lesson.scope == "global":
        return True
    places = (origin.is_same(lesson.project, project, lesson.repo) for project in projects)
    return lesson.scope == "project" and bool(projects) and all(places)


def _waiting(ws: Workspace, lessons: Sequence[Lesson]) -> Iterator[_Waiting]:
    """What waits for the person besides lessons; each kind is looked at only where there is any."""
    ids = {lesson.id for lesson in lessons}
    for key, doc in documents.lessons(ws.root).items():
        if doc.get("status") == "draft" and doc.get("statement") and not doc.get("claims") and key not in ids:
            projects = () if doc.get("scope") == "global" else (str(doc.get("project", "")),)
            yield _Waiting("lessons", key, str(doc["statement"]), projects)
    store = Store(ws.root)
    tables = store.documents("preferences")
    if tables.get("recurring", {}).get("items") or any(name.startswith("trait:") for name in tables):
        yield from _beliefs(ws, lessons)
    remarks_by_agent: dict[str, dict[str, Any]] = {}
    for tally in store.documents("agents").values():
        remarks_by_agent.setdefault(tally["agent_name"], {}).update(tally.get("_remarks") or {})
    said = [meaning.read(lesson.statement) for lesson in lessons]
    if any(_may_have_theme(remarks.values(), said) for remarks in remarks_by_agent.values()):
        yield from _themes(ws)


def _may_have_theme(remarks: Collection[Mapping[str, Any]], said: Sequence[Meaning]) -> bool:
    """Whether a theme of these remarks may say the same as a lesson: one of several does."""
    stated = (meaning.read(str(remark.get("says") or "")) for remark in remarks if len(remarks) > 1)
    return any(similarity.are_same(each, says) for says in stated for each in said)


def _beliefs(ws: Workspace, lessons: Sequence[Lesson]) -> Iterator[_Waiting]:
    """Beliefs with words that the person has not dropped, and corrections that became no draft."""
    from learnloop.service.profile import belief_verdicts, project_findings

    groups = project_findings.grouped(ws).values()
    became = {
        beliefs.belief_id("common_mistake", group.id, project): group.lesson_id or ""
        for group in groups
        for project in group.projects
    }
    dropped = beliefs.dismissed(documents.decisions(ws.root))
    for belief in belief_verdicts.of_person_and_projects(
        ws, lambda project: any(_covers(lesson, (project,)) for lesson in lessons)
    ):
        if belief.statement and belief.id not in dropped:
            projects = (belief.project,) if belief.project else ()
            yield _Waiting("beliefs", belief.id, belief.statement, projects, became.get(belief.id, ""))
    for group in groups:
        if not group.lesson_id:
            yield _Waiting("beliefs", group.id, group.pattern, group.projects)


def _themes(ws: Workspace) -> Iterator[_Waiting]:
    """The proposals for what agents were corrected on, as far as nothing was decided on them."""
    from learnloop.patch import propose
    from learnloop.service.profile import agent_figures

    decided = Store(ws.root).documents("patches")
    for patch in propose.from_themes(agent_figures.performance(ws, own_only=True)):
        if patch.id not in decided:
            projects = (patch.project,) if patch.project else ()
            yield _Waiting("patches", patch.id, patch.gist, projects)
