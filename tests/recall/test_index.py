"""The index gives what a look at every approved lesson gives, and nothing that nobody approved."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.recall.compile import MOST_STANDING, compile_index, records
from learnloop.wire import index, relevance, search
from tests.examples import examples

HEADER = {"generation": 1}
PROJECTS = ("/code/alpha", "/code/beta")
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
    "project": st.sampled_from((*PROJECTS, "/code/other")),
    "cwd": st.sampled_from(("/code/alpha", "/code/alpha/src/api", "/code/beta")),
    "agent": st.sampled_from(("", "main", "reviewer")),
})  # fmt: skip


def _brute(lessons: list[dict[str, Any]], moment: dict[str, Any], threshold: int) -> list[tuple[int, str]]:
    scored = [(relevance.score(record, moment, threshold), record["id"]) for record in records(lessons)]
    return sorted((-score["final"], lesson_id) for score, lesson_id in scored if score["fires"])


def _opened(tmp_path: Path, data: bytes) -> index.Index:
    path = tmp_path / "index"
    path.write_bytes(data)
    opened = index.read(str(path))
    assert opened is not None
    return opened


@pytest.mark.parametrize("limits", [(4000, 600), (0, 600), (3, 600)], ids=["counted", "common", "both"])
def test_the_search_equals_a_look_at_every_lesson(
    limits: tuple[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST_HITS", limits[0])

    @settings(max_examples=examples(150), deadline=None)
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
        opened = _opened(tmp_path, compile_index(lessons, HEADER))
        known = {f"lesson{number:03d}" for number in told}
        found = search.best(
            opened, relevance.Moment(moment), count, lambda record: record["id"] not in known, threshold
        )
        expected = [entry for entry in _brute(lessons, moment, threshold) if entry[1] not in known]
        assert [(-score["final"], record["id"]) for record, score in found] == expected[:count]

    check()


def _one(**changes: Any) -> dict[str, Any]:
    return {
        "id": "lesson000", "status": "active", "statement": "Black formats the code.", "scope": "global",
        "priority": "CRITICAL", "triggers": {"file_patterns": ["*.py"]}, **changes,
    }  # fmt: skip


@pytest.mark.parametrize("most_hits", [4000, 0])
def test_two_keywords_that_one_word_matches_count_twice(
    most_hits: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST_HITS", most_hits)
    lessons = [
        _one(id=f"lesson{number:03d}", priority="MEDIUM", triggers={
            "tool_names": ["Edit"], "action_keywords": ["deploy"],
            "context_keywords": ["migration", "migrations"],
        })
        for number in range(3)
    ]  # fmt: skip
    moment = {"moment": "tool", "tool": "Write", "file": "/code/alpha/src", "words": "deploy the migration"}
    opened = _opened(tmp_path, compile_index(lessons, HEADER))
    found = search.best(opened, relevance.Moment(moment), 3, lambda _: True, 40)
    assert [(-score["final"], record["id"]) for record, score in found] == _brute(lessons, moment, 40)
    assert len(found) == 3


MOMENT = relevance.Moment(
    {"moment": "tool", "tool": "Write", "file": "/code/alpha/a.py", "project": "/code/alpha"}
)


def _ids(found: index.Index) -> list[str]:
    return [record["id"] for record, _ in search.best(found, MOMENT, 3, lambda _: True, 70)]


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "draft"}, {"status": "rejected"}, {"status": "archived"}, {"paused": True},
        {"statement": " "}, {"expires_at": "2026-01-01T00:00:00.000Z"},
    ],
)  # fmt: skip
def test_nothing_of_what_is_not_approved_or_not_in_use_is_in_the_bytes(changes: dict[str, Any]) -> None:
    secret = {"statement": "Zanzibar is the secret.", "keywords": ["zanzibar"], "id": "zanzibar"}
    kept = _one(triggers={"file_patterns": ["*.py"], "action_keywords": ["format"]})
    data = compile_index([kept, _one(**{**secret, **changes})], HEADER, now="2026-02-01T00:00:00.000Z")
    assert b"anzibar" not in data
    assert b"Black formats" in data


def test_the_index_is_the_same_whatever_the_order_of_lessons() -> None:
    made = [_one(id=f"lesson{n:03d}", project=PROJECTS[n % 2], scope="project") for n in range(20)]
    assert compile_index(made, HEADER) == compile_index(made[::-1], HEADER)


def test_braces_are_written_out(tmp_path: Path) -> None:
    opened = _opened(tmp_path, compile_index([_one(triggers={"file_patterns": ["*.{ts,py}"]})], HEADER))
    assert _ids(opened) == ["lesson000"]


def test_every_project_finds_its_section_among_many(tmp_path: Path) -> None:
    lessons = [_one(id=f"lesson{n:03d}", scope="project", project=f"/code/p{n}") for n in range(200)]
    opened = _opened(tmp_path, compile_index(lessons, HEADER))
    for number in (0, 57, 199):
        moment = relevance.Moment({"moment": "start", "project": f"/code/p{number}"})
        assert [record["id"] for record in search.start(opened, moment)] == [f"lesson{number:03d}"]
    assert not list(search.start(opened, relevance.Moment({"moment": "start", "project": "/code/p200"})))


def test_start_recalls_critical_lessons_of_the_agent_the_project_first(tmp_path: Path) -> None:
    lessons = [
        _one(id="everywhere"),
        _one(id="here", scope="project", project="/code/alpha"),
        _one(id="reviewer", triggers={"agent_names": ["Reviewer"]}),
        _one(id="module", scope="module", project="/code/alpha", path="api"),
        _one(id="high", priority="HIGH"),
    ]
    opened = _opened(tmp_path, compile_index(lessons, HEADER))

    def told(agent: str, cwd: str = "/code/alpha") -> list[str]:
        moment = {"moment": "start", "project": "/code/alpha", "agent": agent, "cwd": cwd}
        return [record["id"] for record in search.start(opened, relevance.Moment(moment))]

    assert told("main") == ["here", "everywhere"]
    assert sorted(told("reviewer")) == ["everywhere", "here", "reviewer"]
    assert sorted(told("main", "/code/alpha/api/v1")) == ["everywhere", "here", "module"]


def test_of_very_many_standing_lessons_the_start_looks_at_the_first_alone(tmp_path: Path) -> None:
    lessons = [
        _one(id=f"lesson{n:04d}", priority="MEDIUM", seen_count=1 + n % 50, triggers={}) for n in range(1_000)
    ]
    opened = _opened(tmp_path, compile_index(lessons, HEADER))
    moment = relevance.Moment({"moment": "start", "project": "/code/alpha"})
    ids = [record["id"] for record in search.start(opened, moment)]
    assert len(ids) == MOST_STANDING
    assert ids[:3] == ["lesson0049", "lesson0099", "lesson0149"]


def test_equal_scores_are_recalled_by_id_however_many_there_are(tmp_path: Path) -> None:
    triggers = {"file_patterns": ["*.py"], "action_keywords": ["deploy"]}
    lessons = [_one(id=f"lesson{n:04d}", triggers=triggers) for n in range(2_000)]
    opened = _opened(tmp_path, compile_index(lessons[::-1], HEADER))
    assert _ids(opened) == ["lesson0000", "lesson0001", "lesson0002"]


def test_few_lessons_are_looked_at_in_a_large_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lessons = [
        _one(
            id=f"lesson{n:04d}",
            triggers={"file_patterns": [f"src/m{n}/**/*.py"], "action_keywords": ["deploy"]},
        )
        for n in range(3_000)
    ]
    opened = _opened(tmp_path, compile_index(lessons, HEADER))
    looks: list[str] = []
    scored = relevance.score

    def counted(made: dict[str, Any], moment: relevance.Moment, threshold: int) -> dict[str, Any]:
        looks.append(made["id"])
        return scored(made, moment, threshold)

    monkeypatch.setattr(relevance, "score", counted)
    moment = {
        "moment": "tool",
        "tool": "Write",
        "file": "/p/src/m77/x/a.py",
        "project": "/p",
        "words": "deploy",
    }
    best = search.best(opened, relevance.Moment(moment), 1, lambda _: True, 70)
    assert [record["id"] for record, _ in best] == ["lesson0077"]
    assert len(looks) < 5


@pytest.mark.parametrize("kept", [0, 4, 22, 23, 60, -1, -40])
def test_a_short_index_is_none(kept: int, tmp_path: Path) -> None:
    (tmp_path / "index").write_bytes(compile_index([_one()], HEADER)[:kept])
    assert index.read(str(tmp_path / "index")) is None


def test_a_missing_a_foreign_and_a_newer_index_are_none(tmp_path: Path) -> None:
    path = tmp_path / "index"
    assert index.read(str(path)) is None
    (tmp_path / "folder").mkdir()
    assert index.read(str(tmp_path / "folder")) is None
    data = compile_index([_one()], HEADER)
    before, version, after = data[index.PREFIX :].partition(b'"version":%d' % index.VERSION)
    assert version
    others = [json_of(before + b'"version":%d' % (index.VERSION + by) + after, data) for by in (-1, 1)]
    for foreign in (b"\0" * 500, b"LLIX what is this", *others):
        path.write_bytes(foreign)
        assert index.read(str(path)) is None


def json_of(rest: bytes, data: bytes) -> bytes:
    """The same index with another header of the same length, its checksum right."""
    length = int(data[5:13])
    return b"LLIX %08d %08x\n" % (length, index.checksum(rest[:length])) + rest


@pytest.mark.slow
def test_damage_anywhere_never_recalls_anything_wrong(tmp_path: Path) -> None:
    words = {"action_keywords": ["deploy", "ship"], "context_keywords": ["mail"], "file_patterns": ["*.py"]}
    lessons = [
        _one(id=f"lesson{n:03d}", triggers=words, project=PROJECTS[0], scope="project") for n in range(6)
    ]
    data = compile_index(lessons, HEADER)
    path = tmp_path / "index"
    known = {made["id"]: made for made in records(lessons)}
    for at in range(0, len(data), 3):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x21]) + data[at + 1 :])
        opened = index.read(str(path))
        try:
            told = search.best(opened, MOMENT, 3, lambda _: True, 70) if opened else []
        except (ValueError, LookupError, TypeError):  # what the hook turns into no lessons
            continue
        assert all(record == known[record["id"]] for record, _ in told)
