"""Earlier tasks for a task at hand: what agents would be told, and where they may be."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from learnloop.errors import Refused
from learnloop.ingest import earlier_tasks, task_vectors
from learnloop.ingest.task_vectors import Progress
from learnloop.learn.tasks import memory_marks
from learnloop.models import Decision
from learnloop.models.base import Document
from learnloop.recall import fusion
from learnloop.service.lessons import documents
from learnloop.service.recall import explain
from learnloop.service.review import verdicts
from learnloop.service.tasks import by_meaning, task_list
from learnloop.service.workspace import Workspace
from learnloop.wire import earlier, nearness

LOOKED_AT, _SHARED, _WAIT_S = 20, 2, 5.0
_WENT_WRONG = ("failed", "revised")


def _unreported(_done: int, _total: int) -> None:
    """Progress that nobody waits for."""


class NearTask(Document):
    """An earlier task with the parts of its score; `told` where it is near enough for a hook."""

    id: str
    line: str
    """What an agent is told of it; empty where nothing in it is surely a person's."""
    outcome: str
    wrote: tuple[str, ...] = ()
    score: int
    words: int
    files: int
    age: int
    told: bool
    meaning: int | None = None
    """How like its vector is to the task's, in percent; null where a model does not find it near."""


class Priming(Document):
    """What is known for a task at hand, in four groups."""

    learnings: tuple[str, ...] = ()
    """The approved lessons of the moment, of the files, and those that the near tasks were told."""
    similar: tuple[NearTask, ...] = ()
    """Near tasks that went well, or of which nobody said otherwise."""
    knowledge: tuple[str, ...] = ()
    """The files that several near tasks wrote."""
    attempts: tuple[NearTask, ...] = ()
    """Near tasks that failed, or that the person had corrected."""


class PrimingPlace(Document):
    """What was decided of a project; `project` is empty for all others."""

    project: str
    on: bool


def prime(
    ws: Workspace, task: str, *, project: str, files: tuple[str, ...] = (), agent: str = "main",
    progress: Progress = _unreported,
) -> Priming:  # fmt: skip
    """What is known for a task in a project, as `learn prime` shows it; brings the index up to date first."""
    every = nearest(ws, task, project=project, files=files, progress=progress)
    told = [each for each in every if each.told]
    shared = Counter(file for each in told for file in each.wrote)
    return Priming(
        learnings=_learnings(ws, told, prompt=task, project=project, files=files, agent=agent),
        similar=tuple(each for each in told if each.outcome not in _WENT_WRONG),
        knowledge=tuple(
            f"{count} of these tasks wrote {file}"
            for file, count in shared.most_common(5)
            if count >= _SHARED
        ),
        attempts=tuple(each for each in told if each.outcome in _WENT_WRONG),
    )


def _learnings(
    ws: Workspace, near: Iterable[NearTask], *, prompt: str, project: str, files: tuple[str, ...], agent: str
) -> tuple[str, ...]:
    earlier_told = {lesson for each in near for lesson in task_list.find(ws, each.id)[0].told}
    paths = ("", *(file if file.startswith("/") else f"{project}/{file}" for file in files))
    every = [
        lesson for path in paths
        for lesson in explain.explain(ws, prompt=prompt, file=path or None, agent=agent, project=project)
    ]  # fmt: skip
    own = [lesson for lesson in every if lesson.told]
    own += (lesson for lesson in every if lesson.id in earlier_told)
    return tuple(dict.fromkeys(f"{lesson.says} ({lesson.short})" for lesson in own))


def nearest(
    ws: Workspace, task: str, *, project: str, files: tuple[str, ...] = (), progress: Progress = _unreported
) -> list[NearTask]:
    """The earlier tasks of a project that are nearest to words and files, with the parts of their scores.

    `progress` hears of the tasks that the index lacks.
    """
    earlier_tasks.refresh(ws.root, wait_s=_WAIT_S, model=ws.settings.vectors.model, progress=progress)
    similar = by_meaning.nearest(ws, task, LOOKED_AT, project)
    meaning = {each.id: round(100 * each.similarity) for each in similar}
    sections, numbers = earlier.sections(ws.root, project), [each.number for each in similar]
    ranked = fusion.nearest(sections, task, files, numbers, LOOKED_AT)
    return [_near_task(record, parts, meaning.get(record["id"])) for record, parts in ranked]


def rebuild_vectors(ws: Workspace, progress: Progress) -> int:
    """Give every task a vector of the model in the settings; how many have one then.

    Raises Refused where none is named or it cannot be used, Busy where another process is at it.
    """
    folder = ws.settings.vectors.model
    if not folder:
        raise Refused("no model is named", "learn config vectors.model FOLDER names one")
    earlier_tasks.refresh(ws.root, wait_s=_WAIT_S, progress=progress)
    return task_vectors.rebuild(ws.root, folder, progress)


def _near_task(record: dict[str, Any], parts: tuple[int, int, int], meaning: int | None) -> NearTask:
    words, files, age = parts
    is_told = bool(record["line"]) and nearness.is_told(parts)
    return NearTask(
        id=record["id"], line=record["line"], outcome=record["outcome"], wrote=tuple(record["files"]),
        score=nearness.score(parts), words=words, files=files, age=age, told=is_told,
        meaning=meaning,
    )  # fmt: skip


def set_priming(ws: Workspace, project: str, *, on: bool) -> Decision:
    """Let agents be told earlier tasks in a project, or no more; "" is everywhere else.

    Raises Refused where that is so already.
    """
    decided = {place.project: place.on for place in places(ws)}
    if decided.get(project, False if project == memory_marks.EVERYWHERE else None) is on:
        raise Refused(f"priming is {'on' if on else 'off'} there already", "learn prime lists where it is on")
    return verdicts.decide(ws, memory_marks.PRIMING, [], {"project": project, "on": on})


def places(ws: Workspace) -> list[PrimingPlace]:
    """What was decided of projects, by their names."""
    decided = memory_marks.primed(documents.decisions(ws.root))
    return [PrimingPlace(project=project, on=on) for project, on in sorted(decided.items())]
