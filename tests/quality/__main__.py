"""`python -m tests.quality FILE`: nDCG@10 of each part of the ranking, and what would be told.

Causal: at each prompt only the tasks of earlier sessions are there. Intervals are bootstrapped over sessions.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from learnloop.recall import fusion
from learnloop.recall.task_index import asked_and_wrote, compile_tasks
from learnloop.service.memory.near_tasks import LOOKED_AT
from learnloop.vectors import model_folder, opening
from learnloop.wire import earlier, index, nearness
from tests.quality.histories import Query, SessionTasks, read

if TYPE_CHECKING:
    from learnloop.models.task import Task
    from learnloop.vectors.embedder import Vectors
    from learnloop.wire.index import RecordSection

Parts = Sequence[int]
GOAL = 1.8
LINES = 2
"""What a prompt is told at most."""
_BM25 = "BM25 alone"
_ALL = "words + files, × age"
WAYS: dict[str, Callable[[Parts], float]] = {
    "words": lambda parts: parts[0],
    "words × age": lambda parts: parts[0] * parts[2],
    "files": lambda parts: parts[1],
    "files × age": lambda parts: parts[1] * parts[2],
    "words + files": lambda parts: parts[0] + parts[1],
    _ALL: lambda parts: nearness.score((parts[0], parts[1], parts[2])),
}
_MEANING, _BOTH = "meaning", f"{_ALL}, and meaning"
Gains = dict[str, list[tuple[str, float]]]
"""Of each way: session and nDCG of every query."""


class PlainWords:
    """BM25 with all words of the prompt over all words of each task, also of the agent's answer."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}

    def add(self, session: SessionTasks) -> None:
        """Take the tasks of a session."""
        for task, answer in zip(session.tasks, session.answers, strict=True):
            words = " ".join([task.input[:3000], *task.files, *task.commands, answer])
            self._counts[task.id] = Counter(nearness.terms(words))

    def ranked(self, prompt: str) -> list[str]:
        """The tasks with a word of the prompt, the best first."""
        total, points = len(self._counts), dict[str, float]()
        mean = sum(counts.total() for counts in self._counts.values()) / max(total, 1)
        for term in dict.fromkeys(nearness.terms(prompt)):
            having = {key: counts for key, counts in self._counts.items() if term in counts}
            weight = math.log(1 + (total - len(having) + 0.5) / (len(having) + 0.5))
            for key, counts in having.items():
                length = 0.25 + 0.75 * counts.total() / mean
                points[key] = points.get(key, 0) + weight * 2.2 * counts[term] / (counts[term] + 1.2 * length)
        return sorted(points, key=lambda key: (-points[key], key))


def ndcg(ranked: Sequence[str], grades: dict[str, int]) -> float:
    """How near the first ten are to the best order."""

    def gain(values: Sequence[int]) -> float:
        return sum((2.0**grade - 1) / math.log2(place + 2) for place, grade in enumerate(values[:10]))

    best = gain(sorted(grades.values(), reverse=True))
    return gain([grades.get(key, 0) for key in ranked]) / best


class ByMeaning:
    """The tasks nearest to a prompt by the vectors of a model."""

    def __init__(self, folder: str) -> None:
        self._model = opening.embedder(model_folder.read(folder))
        self._ids: list[str] = []
        self._vectors: list[Vectors] = []

    def begin(self) -> None:
        """Forget the tasks of the repository before."""
        self._ids, self._vectors = [], []

    def add(self, tasks: Sequence[Task]) -> None:
        """Take the tasks of a session."""
        self._ids += [task.id for task in tasks]
        self._vectors.extend(self._model.embed([asked_and_wrote(task) for task in tasks]))

    def ranked(self, prompt: str) -> list[str]:
        """The tasks that a search looks at, the nearest first."""
        (vector,) = self._model.embed([prompt])
        near = [float(each @ vector) for each in self._vectors]
        return [self._ids[at] for at in sorted(range(len(near)), key=lambda at: -near[at])[:LOOKED_AT]]


class Run:
    """One walk through the histories."""

    def __init__(self, folder: Path, meaning: ByMeaning | None = None) -> None:
        self._folder, self._meaning = folder, meaning
        self.gains: Gains = {name: [] for name in (_BM25, *WAYS, *((_MEANING, _BOTH) if meaning else ()))}
        self.told: list[tuple[Query, list[str]]] = []
        """The prompts that are told something, with the lines."""
        self.prompts = 0
        self._session, self._seen = "", set[str]()

    def repository(self, sessions: list[SessionTasks]) -> None:
        """Ask every query of a repository, in order."""
        sections: list[RecordSection] = []
        plain = PlainWords()
        if self._meaning:
            self._meaning.begin()
        for number, session in enumerate(sessions):
            for query in session.queries:
                self._ask(query, sections, plain)
            if session.tasks:
                sections.append(self._section(session, number))
                plain.add(session)
                if self._meaning:
                    self._meaning.add(session.tasks)

    def _section(self, session: SessionTasks, number: int) -> RecordSection:
        path = self._folder / f"{session.repo.replace('/', '-')}-{number}"
        path.write_bytes(compile_tasks(session.tasks))
        opened = index.read(str(path))
        section = opened and earlier.section_of(opened, f"/{session.repo}")
        if not section:
            raise RuntimeError("the index cannot be read")
        return section

    def _ask(self, query: Query, sections: list[RecordSection], plain: PlainWords) -> None:
        nearest = [(each["id"], parts) for each, parts in
                   earlier.nearest(sections, query.prompt, query.files, 10**6)]  # fmt: skip
        self._tell(query, sections)
        if query.grades:
            rankings = {_BM25: plain.ranked(query.prompt)}
            for name, weigh in WAYS.items():
                ordered = sorted(nearest, key=lambda pair: -weigh(pair[1]))
                rankings[name] = [key for key, parts in ordered if weigh(parts)]
            if self._meaning:
                near = rankings[_MEANING] = self._meaning.ranked(query.prompt)
                rankings[_BOTH] = fusion.ranked(dict(nearest), rankings[_ALL][:LOOKED_AT], near)
            for name, ranking in rankings.items():
                self.gains[name].append((query.session, ndcg(ranking, query.grades)))

    def _tell(self, query: Query, sections: list[RecordSection]) -> None:
        """As a hook tells: near enough, with a line, and each once in a session."""
        if query.session != self._session:
            self._session, self._seen = query.session, set()
        nearest = earlier.nearest(
            sections, query.prompt, query.files, LINES, nearness.THRESHOLD,
            lambda each: each["line"] and each["id"] not in self._seen,
        )  # fmt: skip
        chosen = [each for each, parts in nearest if nearness.is_told(parts)]
        self._seen |= {each["id"] for each in chosen}
        self.prompts += 1
        if chosen:
            self.told.append((query, [each["line"] for each in chosen]))


def mean(gains: Sequence[tuple[str, float]]) -> float:
    """The mean over queries."""
    return sum(value for _, value in gains) / max(len(gains), 1)


def interval(gains: Sequence[tuple[str, float]], rounds: int = 1000) -> tuple[float, float]:
    """Where 95 % of the means lie when sessions are drawn again."""
    by_session: dict[str, list[tuple[str, float]]] = {}
    for session, value in gains:
        by_session.setdefault(session, []).append((session, value))
    groups, chance = list(by_session.values()), random.Random(17)
    means = sorted(
        mean([gain for group in chance.choices(groups, k=len(groups)) for gain in group])
        for _ in range(rounds)
    )
    return means[rounds // 40], means[-rounds // 40]


def main() -> int:
    """Print both tables; exit code 1 where the default is not good enough."""
    parser = argparse.ArgumentParser(prog="python -m tests.quality", description=__doc__)
    parser.add_argument("tasks", type=Path, help="JSON lines, one prompt a line")
    parser.add_argument(
        "--model", default="", metavar="FOLDER", help="a sentence model: its rankings as well"
    )
    parser.add_argument("--read", type=int, default=0, metavar="N", help="prompts to print with their lines")
    parser.add_argument("--read-seed", type=int, default=0, metavar="S", help="which of them")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), ByMeaning(chosen.model) if chosen.model else None)
        for sessions in read(chosen.tasks):
            run.repository(sessions)
    alone = mean(run.gains[_BM25])
    print(
        f"{len(run.gains[_BM25])} prompts with earlier tasks that matter\n\n| ranking | nDCG@10 | 95 % | × |"
    )
    print("|---|---:|---:|---:|")
    for name, gains in run.gains.items():
        low, high = interval(gains)
        print(f"| {name} | {mean(gains):.3f} | {low:.3f}–{high:.3f} | {mean(gains) / alone:.2f} |")
    lines = sum(len(told) for _, told in run.told)
    print(f"\n{len(run.told)} of {run.prompts} prompts are told {lines} earlier tasks; the others nothing.")
    some = random.Random(chosen.read_seed).sample(run.told, min(chosen.read, len(run.told)))
    for query, told in some:
        print("\n".join([f"\n{' '.join(query.prompt.split())[:300]}", *(f"  - {line}" for line in told)]))
    return 0 if mean(run.gains[_ALL]) >= GOAL * alone else 1


if __name__ == "__main__":
    sys.exit(main())
