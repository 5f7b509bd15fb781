"""The index gives what a look at every approved lesson gives, and nothing that nobody approved."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.recall.compile import compile_index, records
from learnloop.wire import index, relevance, search

HEADER = {"generation": 1}
PROJECTS = ("/work/alpha", "/work/beta")
_NAMES = (
    "src",
    "api",
    "app.py",
    "test_app.py",
    "конфиг.toml",
    "配置.json",
    "a.b.c",
    "Makefile",
    "long_module_name_12.tsx",
)
_SEGMENTS = (
    *_NAMES,
    "*",
    "**",
    "*.py",
    "test_*",
    "*.json",
    "a?p.py",
    "[a-s]*",
    "*_name_12.tsx",
    "long_modu*",
    "кон*",
)
_WORDS = (
    "deploy",
    "migration",
    "migrations",
    "git commit",
    "部署",
    "déjà",
    "user_id",
    "process",
    "Straße",
    "x",
)
_COMMANDS = (
    "git push",
    "git push --force",
    "git",
    "npm run *",
    "*--force*",
    "py*",
    "curl * | sh",
    "pytes*",
    "./run.sh",
)
_LINES = (
    "git push --force origin", "cd src && sudo /usr/bin/git push", "FOO=1 npm run build",
    "curl https://x | sh", "gitk", "echo 'git push; rm'", "pytest -q", "bash ./run.sh", "",
)  # fmt: skip


def _some(values: tuple[str, ...], most: int = 2) -> Any:
    return st.lists(st.sampled_from(values), max_size=most)


def _paths(segments: tuple[str, ...], most: int) -> Any:
    return st.lists(st.sampled_from(segments), min_size=1, max_size=most).map("/".join)


_patterns = _paths(_SEGMENTS, 3)
_patterns = st.one_of(_patterns, _patterns.map("/{}".format), _patterns.map("{}/".format))
_triggers = st.fixed_dictionaries({
    "tool_names": _some(("Write", "Edit", "Bash", "Read")),
    "file_patterns": st.lists(_patterns, max_size=2),
    "command_patterns": _some(_COMMANDS),
    "action_keywords": _some(_WORDS, 3),
    "context_keywords": _some(_WORDS, 3),
    "agent_names": _some(("Reviewer", "main"), 1),
})  # fmt: skip
_lesson = st.fixed_dictionaries({
    "status": st.sampled_from(("active", "active", "active", "draft", "rejected", "archived")),
    "paused": st.sampled_from((False, False, False, True)),
    "statement": st.sampled_from(("Black formats the code.", "Ключи лежат в сейфе.", "")),
    "priority": st.sampled_from(("CRITICAL", "HIGH", "MEDIUM", "LOW")),
    "triggers": _triggers,
    "keywords": _some(_WORDS),
    "scope": st.sampled_from(("global", "project", "module")),
    "project": st.sampled_from(PROJECTS),
    "path": st.sampled_from(("src", "src/api")),
})  # fmt: skip
_lessons = st.lists(_lesson, max_size=14).map(
    lambda made: [{**lesson, "id": f"lesson{number:03d}"} for number, lesson in enumerate(made)]
)
_heard = ("DEPLOYS", "commits", "Processes", "请部署到", "user-ids", "noise", *_WORDS)
_moments = st.fixed_dictionaries({
    "moment": st.sampled_from(("tool", "tool", "tool", "prompt")),
    "tool": st.sampled_from(("Write", "Edit", "NotebookEdit", "Bash", "Read")),
    "file": st.builds("{}/{}".format, st.sampled_from((*PROJECTS, "/etc")), _paths(_NAMES, 4)),
    "command": st.sampled_from(_LINES),
    "words": _some(_heard, 6).map(" ".join),
    "project": st.sampled_from((*PROJECTS, "/work/other")),
    "cwd": st.sampled_from(("/work/alpha", "/work/alpha/src/api", "/work/beta")),
    "agent": st.sampled_from(("", "main", "reviewer")),
})  # fmt: skip


def _brute(lessons: list[dict[str, Any]], moment: dict[str, Any], threshold: int) -> list[tuple[int, str]]:
    scored = [(relevance.score(made, moment, threshold), made["id"]) for made in records(lessons)]
    return sorted((-score["final"], lesson_id) for score, lesson_id in scored if score["fires"])


def _opened(tmp_path: Path, data: bytes) -> index.Index:
    path = tmp_path / "index"
    path.write_bytes(data)
    found = index.read(str(path))
    assert found is not None
    return found


@pytest.mark.parametrize("limits", [(4000, 600), (0, 600), (3, 600)], ids=["counted", "common", "both"])
def test_the_search_equals_a_look_at_every_lesson(
    limits: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_MOST_HITS", limits[0])

    @settings(max_examples=250, deadline=None)
    @given(
        _lessons,
        _moments,
        st.integers(1, 4),
        st.sampled_from((70, 40, 100)),
        st.sets(st.integers(0, 13), max_size=3),
    )
    def check(
        lessons: list[dict[str, Any]], moment: dict[str, Any], count: int, threshold: int, told: set[int]
    ) -> None:
        made = _opened(tmp_path, compile_index(lessons, HEADER))
        known = {f"lesson{number:03d}" for number in told}
        found = search.best(
            made, relevance.Moment(moment), count, lambda record: record["id"] not in known, threshold
        )
        expected = [entry for entry in _brute(lessons, moment, threshold) if entry[1] not in known]
        assert [(-score["final"], record["id"]) for record, score in found] == expected[:count]

    check()
