"""A small store for the tests of the command line: lessons in every state, one of each sort that matters."""

import json
from typing import Any

import pytest

from learnloop.cli.main import main
from learnloop.models import Evidence, Lesson, Triggers
from learnloop.store.store import Store

NOW = "2026-01-02T03:04:05.000Z"
UV, PIP, WORDLESS, ACTIVE, ARCHIVED = (
    (head + "a" * 26)[:26] for head in ("uvuv2222", "uvuv3333", "word", "acti", "arch")
)
HOSTILE = "no\x1b[2J [bold]why[/x] \u202e"


def lesson(lesson_id: str, **values: Any) -> Lesson:
    """A lesson of the project /w/app."""
    return Lesson.model_validate(
        {"id": lesson_id, "project": "/w/app", "created": NOW, "updated": NOW} | values
    )


LESSONS = (
    lesson(
        UV,
        statement="Use uv, not pip.",
        confidence=0.9,
        triggers=Triggers(command_patterns=("pip *",)),
        evidence=(Evidence(quote="don't use pip, use uv", session_id="s1", event_id="e1", ts=NOW),),
    ),
    lesson(PIP, statement="Requirements are pinned.", confidence=0.6),
    lesson(
        WORDLESS,
        needs_words=True,
        confidence=0.4,
        evidence=(Evidence(quote=HOSTILE, session_id="s1", event_id="e2", ts=NOW),),
    ),
    lesson(ACTIVE, status="active", statement="Commits are signed.", scope="global", project=""),
    lesson(ARCHIVED, status="archived", archived_reason="unused", statement="Tabs are used."),
)


def seed(root: str, lessons: tuple[Lesson, ...] = LESSONS) -> None:
    """Puts lessons into the store."""
    with Store(root).transaction() as changes:
        table = changes.table("lessons")
        for lesson in lessons:
            table.put(lesson.id, lesson.as_json())


class Learn:
    """Runs `learn` in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.out = self.err = ""

    def __call__(self, *argv: str) -> int:
        """Runs one command line; what it printed is in `out` and `err`."""
        code = main(argv)
        self.out, self.err = self._capsys.readouterr()
        return code

    def listing(self, *argv: str) -> list[dict[str, Any]]:
        """What a listing prints with `--json`; it has to be done, and to say nothing else."""
        assert self(*argv, "--json") == 0, self.err
        assert self.err == ""
        rows = json.loads(self.out)
        assert isinstance(rows, list)
        return rows

    def refused(self, *argv: str) -> str:
        """The one line of a refusal."""
        assert self(*argv) == 1, self.out
        assert self.out == ""
        assert self.err.startswith("learn: ")
        assert self.err.count("\n") == 1
        assert " – " in self.err
        return self.err
