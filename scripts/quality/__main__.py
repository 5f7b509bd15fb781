"""`python -m scripts.quality FILE`: nDCG@10 of each part of the ranking, and what would be told.

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
from typing import TYPE_CHECKING, NamedTuple
from unittest import mock

from scripts.quality.histories import Query, SessionTasks, read

from learnloop.learn.profile import agent_tallies
from learnloop.recall import fusion
from learnloop.recall.task_index import asked_and_wrote, compile_tasks
from learnloop.service.memory.near_tasks import LOOKED_AT
from learnloop.vectors import model_folder, opening
from learnloop.wire import earlier, index, nearness
from learnloop_hooks import priming

if TYPE_CHECKING:
    from learnloop.models.task import Task
    from learnloop.vectors.row_search import Vectors
    from learnloop.wire.index import RecordSection

Parts = Sequence[int]
GOAL = 1.8
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


class Told(NamedTuple):
    """What a prompt was told."""

    query: Query
    lines: list[str]


class Run:
    """One walk through the histories."""

    def __init__(self, folder: Path, meaning: ByMeaning | None = None) -> None:
        self._folder, self._meaning = folder, meaning
        self.gains: Gains = {name: [] for name in (_BM25, *WAYS, *((_MEANING, _BOTH) if meaning else ()))}
        self.told: list[Told] = []
        self.prompts, self.firsts = 0, 0
        self._session, self._said = "", list[str]()

    def repository(self, sessions: list[SessionTasks]) -> None:
        """Ask every query of a repository, in order."""
        sections: list[RecordSection] = []
        pieces: list[RecordSection] = []
        plain = PlainWords()
        if self._meaning:
            self._meaning.begin()
        for number, session in enumerate(sessions):
            for query in session.queries:
                self._ask(query, sections, plain)
                self._tell(query, pieces, f"/{session.repo}")
            if session.pieces:
                pieces.append(self._section(session.repo, session.pieces, f"{number}-pieces"))
            if session.tasks:
                sections.append(self._section(session.repo, session.tasks, f"{number}"))
                plain.add(session)
                if self._meaning:
                    self._meaning.add(session.tasks)

    def _section(self, repo: str, tasks: list[Task], name: str) -> RecordSection:
        path = self._folder / f"{repo.replace('/', '-')}-{name}"
        path.write_bytes(compile_tasks(tasks))
        opened = index.read(str(path))
        section = opened and earlier.section_of(opened, f"/{repo}")
        if not section:
            raise RuntimeError("the index cannot be read")
        return section

    def _ask(self, query: Query, sections: list[RecordSection], plain: PlainWords) -> None:
        nearest = [(each["id"], parts) for each, parts in
                   earlier.nearest(sections, query.prompt, query.files, 10**6)]  # fmt: skip
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

    def _tell(self, query: Query, pieces: list[RecordSection], project: str) -> None:
        """As a hook tells, at the first prompt of a session that says something."""
        if query.session != self._session:
            self._session, self._said = query.session, []
        with mock.patch.object(earlier, "sections", return_value=pieces):
            near = priming.nearest("", (), (project, query.session, query.prompt), self._said)
        chosen = [record for record, _ in near]
        self._said.append(query.prompt)
        self.prompts += 1
        self.firsts += query.is_first
        if chosen:
            self.told.append(Told(query, [record["line"] for record in chosen]))


RULES = """\
# Grade each line as the person who typed the prompt: W wanted, M neutral, N noise; in the first column.
# W: I would like my agent to read this first: a correction, file, check or repair that matters here.
# M: the same area, and nothing that helps. N: something else, small talk, or words of a program.
# Read every line by itself, before any figure. Leave the other columns as they are.
"""
_NAMES = {"W": "wanted", "M": "neutral", "N": "noise"}


def write_for_reading(told: Sequence[Told], most: int, seed: int, file: Path) -> None:
    """Write lines for a reader to grade, those of a prompt together: grade, prompt, line."""
    rows = [RULES]
    for each in random.Random(seed).sample(list(told), len(told)):
        prompt = " ".join(each.query.prompt.split())[:300]
        rows += [f"\t{prompt}\t{line}\n" for line in each.lines]
        if len(rows) > most:
            break
    file.write_text("".join(rows), "utf-8")


def print_grades(file: Path) -> None:
    """Print how many lines of a graded file are wanted, neutral and noise, with 95 % intervals."""
    rows = [line for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    grades = Counter(row.partition("\t")[0].strip().upper()[:1] for row in rows)
    total = sum(grades[grade] for grade in _NAMES)
    print(f"{total} lines graded, {len(rows) - total} not")
    for grade, name in _NAMES.items():
        share = agent_tallies.wilson(grades[grade], total)
        if share:
            print(f"{name}: {grades[grade]} ({grades[grade] / total:.0%}, {share.low:.0%}–{share.high:.0%})")


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
    parser = argparse.ArgumentParser(prog="python -m scripts.quality", description=__doc__)
    parser.add_argument("tasks", type=Path, nargs="?", help="JSON lines, one prompt a line")
    parser.add_argument(
        "--model", default="", metavar="FOLDER", help="a sentence model: its rankings as well"
    )
    parser.add_argument("--read", type=int, default=0, metavar="N", help="lines to grade, with --to")
    parser.add_argument("--read-seed", type=int, default=0, metavar="S", help="which of them")
    parser.add_argument("--to", type=Path, metavar="FILE", help="write as many lines for a reader to grade")
    parser.add_argument("--graded", type=Path, metavar="FILE", help="count the grades of such a file")
    chosen = parser.parse_args()
    if chosen.graded:
        print_grades(chosen.graded)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), ByMeaning(chosen.model) if chosen.model else None)
        for sessions in read(chosen.tasks):
            run.repository(sessions)
    alone = mean(run.gains[_BM25]) or 1.0  # a history without files has nothing to find
    print(
        f"{len(run.gains[_BM25])} prompts with earlier tasks that matter\n\n| ranking | nDCG@10 | 95 % | × |"
    )
    print("|---|---:|---:|---:|")
    for name, gains in run.gains.items():
        low, high = interval(gains)
        print(f"| {name} | {mean(gains):.3f} | {low:.3f}–{high:.3f} | {mean(gains) / alone:.2f} |")
    lines = sum(len(told.lines) for told in run.told)
    first = sum(told.query.is_first for told in run.told)
    print(f"\n{len(run.told)} of {run.prompts} prompts are told {lines} lines; the others nothing.")
    print(f"{first} of {run.firsts} first prompts of a session are told something.")
    if chosen.to:
        write_for_reading(run.told, chosen.read, chosen.read_seed, chosen.to)
    return 0 if mean(run.gains[_ALL]) >= GOAL * alone else 1


if __name__ == "__main__":
    sys.exit(main())
