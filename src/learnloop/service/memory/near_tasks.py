"""Earlier tasks for a task at hand: what agents would be told, and where they may be."""

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
from learnloop.service.recall import explain, on_request
from learnloop.service.review import verdicts
from learnloop.service.tasks import by_meaning, task_list
from learnloop.service.workspace import Workspace
from learnloop.wire import earlier, nearness

LOOKED_AT, _ALIKE, _WAIT_S = 20, 12, 5.0


def _unreported(_done: int, _total: int) -> None:
    """Progress that nobody waits for."""


class NearTask(Document):
    """An earlier task with the parts of its score; `told` where it is near enough for a hook."""

    id: str
    line: str
    """What an agent is told of it: a correction, or what mended a failure; else empty."""
    outcome: str
    wrote: tuple[str, ...] = ()
    proof: str = ""
    """The test or build that passed after the last change."""
    score: int
    words: int
    files: int
    age: int
    told: bool
    meaning: int | None = None
    """How like its vector is to the task's, in percent; null where a model does not find it near."""


class Priming(Document):
    """What is known for a task at hand."""

    learnings: tuple[str, ...] = ()
    """The approved lessons of the moment, of the files, and those that the near tasks were told."""
    work: tuple[str, ...] = ()
    """What near tasks have in common, what was corrected there, and what mended a failure."""

    def text(self) -> str:
        """The same as Markdown; empty where nothing is known."""
        groups = (("Previous Learnings", self.learnings), ("Earlier Work", self.work))
        every = [(title, [f"- {line}" for line in lines]) for title, lines in groups if lines]
        parts = ["\n".join([f"### {title}", *lines]) for title, lines in every]
        return "\n\n".join(["## Relevant Experience", *parts]) if parts else ""


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
    near = [each for each in every if each.score >= nearness.THRESHOLD]
    learnings = _learnings(ws, near, prompt=task, project=project, files=files, agent=agent)
    return Priming(learnings=learnings, work=_work(ws, task, project, every))


def earlier_work(ws: Workspace, task: str, file: str, project: str) -> str:
    """What `learn prime` says of earlier work, for an agent that asks; empty where that is nothing.

    Raises Refused where the person has not switched it on.
    """
    if not memory_marks.is_primed(memory_marks.primed(documents.decisions(ws.root)), project):
        raise Refused("the user has not let agents be told earlier work here", "learn prime on does")
    if on_request.permitted(ws, project) != "all":
        return ""
    files = (file.removeprefix(f"{project}/"),) if file else ()
    near = nearest(ws, task, project=project, files=files)
    return Priming(work=_work(ws, task, project, near)).text()


def _work(ws: Workspace, task: str, project: str, every: Iterable[NearTask]) -> tuple[str, ...]:
    """The lines of near tasks, what several have in common first."""
    hidden = memory_marks.marks(documents.decisions(ws.root)).hidden_tasks
    like = [each for each in every if each.score >= nearness.LIKE and each.id not in hidden][:_ALIKE]
    sections = earlier.sections(ws.root, project)
    shared = earlier.work(sections, task, [{"files": each.wrote, "proof": each.proof} for each in like])
    return tuple(filter(None, (shared, *(each.line for each in like if each.told))))


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
    return [_near_task(task, record, parts, meaning.get(record["id"])) for record, parts in ranked]


def rebuild_vectors(ws: Workspace, progress: Progress) -> int:
    """Give every task a vector of the model in the settings; how many have one then.

    Raises Refused where none is named or it cannot be used, Busy where another process is at it.
    """
    folder = ws.settings.vectors.model
    if not folder:
        raise Refused("no model is named", "learn config vectors.model FOLDER names one")
    earlier_tasks.refresh(ws.root, wait_s=_WAIT_S, progress=progress)
    return task_vectors.rebuild(ws.root, folder, progress)


def _near_task(
    task: str, record: dict[str, Any], parts: tuple[int, int, int], meaning: int | None
) -> NearTask:  # fmt: skip
    words, files, age = parts
    is_near = nearness.score(parts) >= nearness.THRESHOLD or (not task and files > 0)
    return NearTask(
        id=record["id"], line=record["line"], outcome=record["outcome"], wrote=tuple(record["files"]),
        proof=record.get("proof", ""), score=nearness.score(parts), words=words, files=files, age=age,
        told=bool(record["line"]) and is_near, meaning=meaning,
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
