"""Histories of sessions as JSON lines, one prompt a line, made into tasks and queries.

A query is a prompt of four words or more. Relevant to it are tasks of earlier sessions of the same repository
that wrote a same file or met the same error: grade 2 where the file is rare or half of all files are shared,
else 1. Files and errors of more than 40 tasks do not count.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from learnloop.ingest import stored_tasks
from learnloop.ingest.run import ingest
from learnloop.models.task import Task
from learnloop.store.store import Store
from tests.ingest.session_scene import START, Scene, write

Row = dict[str, Any]
_MOST_SHARED, _RARE, _FEWEST_WORDS, _DAY_MS = 40, 5, 4, 86_400_000


class Query(NamedTuple):
    """A prompt, what its session had written before, and the earlier tasks that matter to it."""

    session: str
    prompt: str
    files: list[str]
    grades: dict[str, int]
    is_first: bool
    """Whether its session begins with it."""


class SessionTasks(NamedTuple):
    """One session of a repository: its queries, and the prompts that it adds to what is earlier."""

    repo: str
    queries: list[Query]
    tasks: list[Task]
    answers: list[str]
    """The beginning of what the agent answered, of each task."""
    pieces: list[Task]
    """The pieces of work that ingest makes of it."""


def read(path: Path) -> Iterator[list[SessionTasks]]:
    """The sessions of each repository, in their order."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for number, row in enumerate(rows):
        row["id"] = f"{number:032x}"
        folder = row["repo"].partition("/")[2] + "/"
        row["own"] = list(dict.fromkeys(file.rpartition(folder)[2] for file in row["files"]))
        row["met"] = {str(error)[:120] for error in row["errors"]}
    for repo in dict.fromkeys(row["repo"] for row in rows):
        of_repo = [row for row in rows if row["repo"] == repo]
        ordered = sorted(of_repo, key=lambda row: (row["order"], row["session"], row["pos"]))
        yield list(_sessions(ordered, _pieces(ordered)))


def _sessions(rows: list[Row], pieces: dict[str, list[Task]]) -> Iterator[SessionTasks]:
    counts = Counter(name for row in rows for name in {*row["own"], *row["met"]})
    by_session: dict[str, list[Row]] = {}
    for row in rows:
        by_session.setdefault(row["session"], []).append(row)
    earlier: list[Row] = []
    for session, of_session in by_session.items():
        useful = [row for row in of_session if row["files"] or row["commands"] or row["errors"]]
        tasks, answers = [_task(row) for row in useful], [row["answer"][:600] for row in useful]
        yield SessionTasks(
            rows[0]["repo"], list(_queries(session, of_session, earlier, counts)), tasks, answers,
            pieces.get(session, []),
        )  # fmt: skip
        earlier += useful


def _pieces(rows: list[Row]) -> dict[str, list[Task]]:
    """The pieces of work of each session, as hooks would have recorded its prompts."""
    with tempfile.TemporaryDirectory() as root:
        for number, session in enumerate(dict.fromkeys(row["session"] for row in rows)):
            write(root, _scene([row for row in rows if row["session"] == session], START + number * _DAY_MS))
        ingest(root)
        every = stored_tasks.tasks(Store(root))
    by_session: dict[str, list[Task]] = {}
    for task in every:
        if task.parent is None:
            by_session.setdefault(task.session_id, []).append(task)
    return by_session


def _scene(rows: list[Row], start: int) -> Scene:
    project = f"/{rows[0]['repo']}"
    scene = Scene(rows[0]["session"], project, start)
    for number, row in enumerate(rows):
        prompt_id = f"p{number}"
        scene.prompt(row["prompt"], prompt_id, after_s=60)
        for file in row["own"]:
            scene.call("Edit", f"{project}/{file}", prompt_id=prompt_id, after_s=0.01)
        for command in row["commands"]:
            scene.call("Bash", command, prompt_id=prompt_id, after_s=0.01)
        for error in row["met"]:
            failed = {"error": error}
            scene.call("Bash", "false", "tool_failed", payload=failed, prompt_id=prompt_id, after_s=0.01)
        scene.stop(row["answer"] or "Done.", prompt_id=prompt_id, after_s=1)
    return scene


def _queries(session: str, rows: list[Row], earlier: list[Row], counts: Counter[str]) -> Iterator[Query]:
    files: list[str] = []
    for number, row in enumerate(rows):
        if len(row["prompt"].split()) >= _FEWEST_WORDS and earlier:
            grades = {each["id"]: _grade(row, each, counts) for each in earlier}
            relevant = {key: grade for key, grade in grades.items() if grade}
            yield Query(session, row["prompt"], list(files), relevant, not number)
        files = [file for file in files if file not in row["own"]] + row["own"]


def _grade(row: Row, other: Row, counts: Counter[str]) -> int:
    mine, theirs = ({file for file in each["own"] if counts[file] <= _MOST_SHARED} for each in (row, other))
    shared = mine & theirs
    if shared:
        is_near = 2 * len(shared) >= len(mine | theirs) or any(counts[file] <= _RARE for file in shared)
        return 2 if is_near else 1
    return int(any(counts[error] <= _MOST_SHARED for error in row["met"] & other["met"]))


def _task(row: Row) -> Task:
    return Task.model_validate({
        "id": row["id"], "title": row["prompt"][:100], "input": row["prompt"], "attended": True,
        "started": f"2026-01-01T{int(row['id'], 16) // 60:02d}:00:00.000Z", "session_id": row["session"],
        "agent": "main", "host": "claude", "project": f"/{row['repo']}", "commands": row["commands"],
        "files": [f"/{row['repo']}/{file}" for file in row["own"]],
        "steps": [{"tool": "Bash", "result": "failed", "error_class": str(each)} for each in row["errors"]],
    })  # fmt: skip
