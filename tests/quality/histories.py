"""Histories of sessions as JSON lines, one prompt a line, made into tasks and queries.

A query is a prompt of four words or more. Relevant to it are tasks of earlier sessions of the same repository
that wrote a same file or met the same error: grade 2 where the file is rare or half of all files are shared,
else 1. Files and errors of more than 40 tasks do not count.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from learnloop.models.task import Task

Row = dict[str, Any]
_MOST_SHARED, _RARE, _FEWEST_WORDS = 40, 5, 4


class Query(NamedTuple):
    """A prompt, what its session had written before, and the earlier tasks that matter to it."""

    session: str
    prompt: str
    files: list[str]
    grades: dict[str, int]


class SessionTasks(NamedTuple):
    """One session of a repository: its queries, and the tasks that it adds to what is earlier."""

    repo: str
    queries: list[Query]
    tasks: list[Task]
    answers: list[str]
    """The beginning of what the agent answered, of each task."""


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
        yield list(_sessions(sorted(of_repo, key=lambda row: (row["order"], row["session"], row["pos"]))))


def _sessions(rows: list[Row]) -> Iterator[SessionTasks]:
    counts = Counter(name for row in rows for name in {*row["own"], *row["met"]})
    by_session: dict[str, list[Row]] = {}
    for row in rows:
        by_session.setdefault(row["session"], []).append(row)
    earlier: list[Row] = []
    for session, of_session in by_session.items():
        useful = [row for row in of_session if row["files"] or row["commands"] or row["errors"]]
        tasks, answers = [_task(row) for row in useful], [row["answer"][:600] for row in useful]
        yield SessionTasks(
            rows[0]["repo"], list(_queries(session, of_session, earlier, counts)), tasks, answers
        )
        earlier += useful


def _queries(session: str, rows: list[Row], earlier: list[Row], counts: Counter[str]) -> Iterator[Query]:
    files: list[str] = []
    for row in rows:
        if len(row["prompt"].split()) >= _FEWEST_WORDS and earlier:
            grades = {each["id"]: _grade(row, each, counts) for each in earlier}
            yield Query(
                session, row["prompt"], list(files), {key: grade for key, grade in grades.items() if grade}
            )
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
