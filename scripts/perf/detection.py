"""Detector and scorer: how long their weights take to load, and how many prompts they judge a second."""

import random
import subprocess
import sys
import time
from pathlib import Path

from scripts.perf.measure import Row

from learnloop.learn.hear import candidates, prompts
from learnloop.learn.hear.prompts import Context
from learnloop.learn.language import words

SENTENCES = Path(__file__).parents[2] / "scripts" / "detector" / "sentences.txt"
_LOAD = """
import time
start = time.perf_counter()
from learnloop.learn.hear import candidates, prompts, wording
from learnloop.learn.language import linear_model
for head in (prompts, candidates, wording):
    linear_model.read(head.WEIGHTS)
print((time.perf_counter() - start) * 1000)
"""


def measure(folder: Path, quick: bool) -> list[Row]:
    """Prompts of the training's own sentences: as they are, and joined to longer ones, as people type."""
    del folder
    loads = [_load() for _ in range(3 if quick else 15)]
    typed = _prompts(200 if quick else 3_000)
    context = Context(position=3, previous="add a page for the settings")
    _times(typed[:1], context)  # loads what is loaded once
    judged, scored = _times(typed, context)
    length = sum(len(prompt.split()) for prompt in typed) / len(typed)
    return [
        Row("Detector and scorer: code and weights loaded", 60, sorted(loads)[len(loads) // 2], "ms",
            tuple(loads)),
        Row("Detector: prompts judged a second", 1_000, 1_000 * len(judged) / sum(judged), "prompts/s",
            tuple(judged), at_least=True, note=f"{length:.0f} words a prompt on average"),
        Row("Detector and scorer together, a prompt", 1.5, sum(scored) / len(scored), "ms", tuple(scored),
            note="every sentence worded and scored"),
    ]  # fmt: skip


def _times(typed: list[str], context: Context) -> tuple[list[float], list[float]]:
    """Milliseconds of the detector for each prompt, and of detector and scorer."""
    judged, scored = [], []
    for prompt in typed:
        start = time.perf_counter_ns()
        prompts.detect_feedback(prompt, context)
        judged.append((time.perf_counter_ns() - start) / 1e6)
        own = words.own_words(prompt)
        candidates.chosen(own, candidates.ranked(own, 4))
        scored.append((time.perf_counter_ns() - start) / 1e6)
    return judged, scored


def _load() -> float:
    return float(subprocess.run([sys.executable, "-c", _LOAD], capture_output=True, check=True).stdout)


def _prompts(count: int) -> list[str]:
    lines = SENTENCES.read_text("utf-8").splitlines()
    remarks = [line.split("\t")[1].replace("\\n", "\n") for line in lines if "\t" in line]
    chance = random.Random(1)
    return [". ".join(chance.sample(remarks, chance.choice((1, 1, 1, 2, 3, 6)))) for _ in range(count)]
