"""The search of earlier tasks gives what a look at every task gives, however the index is cut."""

import contextlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.models.task import Task
from learnloop.recall.task_index import compile_tasks, impacts, record
from learnloop.wire import earlier, nearness, paths
from learnloop.wire.index import RecordSection
from tests.examples import examples

PROJECT = "/code/shop"
WORDS = (
    "deploy", "the", "loadUserById", "HTTPServer", "migrations", "failing", "部署到服务器", "déjà", "cart.ts",
    "x", "Carts",
)  # fmt: skip
FILES = ("src/cart.ts", "src/user.ts", "README.md", "конфиг.toml", "配置.json")


def a_task(number: int, words: list[str], files: list[str], project: str, outcome: str) -> Task:
    return Task.model_validate({
        "id": f"{number:032x}", "title": " ".join(words)[:100], "input": " ".join(words), "attended": True,
        "started": f"2026-01-01T10:{number:02d}:00.000Z", "agent": "main", "session_id": f"s{number % 3}",
        "project": project, "host": "claude", "outcome": outcome,
        "corrections": ["Use pnpm instead of npm for handbook chapters"],
        "files": [f"{project}/{file}" for file in files], "commands": ["npm test"],
    })  # fmt: skip


_tasks = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=5),
        st.lists(st.sampled_from(FILES), max_size=3, unique=True),
        st.sampled_from((PROJECT, PROJECT, PROJECT, "/code/other")),
        st.sampled_from(("success", "failed", "unknown", "cancelled")),
    ),
    max_size=24,
).map(lambda rows: [a_task(number, *row) for number, row in enumerate(rows)])
_prompts = st.lists(st.sampled_from((*WORDS, "loading", "cart", "noise")), max_size=8).map(" ".join)


def look_at_all(tasks: list[Task], prompt: str, files: list[str]) -> list[tuple[int, str]]:
    """Score and id of every task of the project that has anything in common, the nearest first."""
    own = [task for task in tasks if task.project == PROJECT]
    counted = [impacts(task) for task in own]

    def best(key: int) -> dict[int, int]:
        having = [(impact[key], number) for number, impact in enumerate(counted) if key in impact]
        return {number: count for count, number in sorted(having, reverse=True)[: earlier.MOST_POSTINGS]}

    def bits(key: int) -> int:
        having = sum(key in impact for impact in counted)
        return earlier.rarity(len(own), having) if having else 0

    looked_up = sorted(
        ((bits(earlier.term_key(term)), term) for term in nearness.asked(prompt)), reverse=True
    )
    rarest = [(bit, earlier.term_key(term)) for bit, term in looked_up if bit][:12]
    keys = [earlier.file_key(file) for file in dict.fromkeys(files)]
    every = max(sum(map(bits, keys)), 600)
    scored = []
    for number, task in enumerate(own):
        hits = [bit * best(key)[number] // 100 for bit, key in rarest if number in best(key)]
        words = min(sum(hits) // 40, 200) if len(hits) >= min(2, len(looked_up)) else 0
        shared = 100 * sum(bits(key) for key in keys if number in best(key)) // every
        score = (words + shared) * (50 + 50 * (number + 1) // len(own)) // 100
        if score:
            scored.append((score, number, task.id))
    return [(score, task_id) for score, _, task_id in sorted(scored, reverse=True)]


@contextlib.contextmanager
def written(root: Path, tasks: list[Task], cuts: list[int]) -> Iterator[list[RecordSection]]:
    """The sections of the project in an index that is cut at some places."""
    folder = Path(paths.earlier_tasks(str(root)))
    folder.mkdir(parents=True, exist_ok=True)
    edges = [0, *sorted(cut % (len(tasks) + 1) for cut in cuts), len(tasks)]
    names = []
    for number, (first, last) in enumerate(pairwise(edges)):
        (folder / f"{number}").write_bytes(compile_tasks(tasks[first:last]))
        names.append(f"{number}")
    (folder / earlier.LIST).write_text("\n".join(names))
    yield earlier.sections(str(root), PROJECT)


def test_the_search_equals_a_look_at_every_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(earlier, "MOST_POSTINGS", 4)

    @settings(max_examples=examples(150), deadline=None)
    @given(
        _tasks,
        _prompts,
        st.lists(st.sampled_from(FILES), max_size=6),
        st.lists(st.integers(0, 99), max_size=3),
    )
    def check(tasks: list[Task], prompt: str, files: list[str], cuts: list[int]) -> None:
        with written(tmp_path, tasks, cuts) as sections:
            nearest = earlier.nearest(sections, prompt, files, 99)
        assert [(nearness.score(parts), each["id"]) for each, parts in nearest] == look_at_all(
            tasks, prompt, files
        )

    check()


@settings(max_examples=examples(200), deadline=None)
@given(st.text(max_size=60))
def test_words_lead_to_the_terms_of_their_text(text: str) -> None:
    assert [term for word in nearness.words(text) for term in nearness.terms(word)] == nearness.terms(text)


@pytest.mark.parametrize("at", [9, 30, 300, -20])
def test_a_damaged_index_tells_nothing_else(at: int, tmp_path: Path) -> None:
    tasks = [
        a_task(n, ["checkout", "loses", "guest", "totals", WORDS[n % 11]], [FILES[n % 5]], PROJECT, "success")
        for n in range(9)
    ]
    lines = {record(task)["line"] for task in tasks}
    with written(tmp_path, tasks, []):
        file = Path(paths.earlier_tasks(str(tmp_path)), "0")
        data = bytearray(file.read_bytes())
        data[at] ^= 0x55
        file.write_bytes(data)
        try:
            nearest: list[Any] = earlier.nearest(
                earlier.sections(str(tmp_path), PROJECT), "deploy cart", ["src/cart.ts"], 9
            )
        except ValueError:
            nearest = []
    assert {each["line"] for each, _ in nearest} <= lines
