"""The detector: how long its weights take to load, and how many prompts it judges a second."""

import random
import subprocess
import sys
import time
from pathlib import Path

from learnloop.learn.feedback import detector
from learnloop.learn.feedback.prompt_rules import Context
from tests.perf.measure import Row

SENTENCES = Path(__file__).parents[2] / "scripts" / "detector" / "sentences.txt"
_LOAD = """
import time
import learnloop.learn.feedback.prompt_rules, learnloop.learn.feedback.features
start = time.perf_counter()
from learnloop.learn.feedback import trained_model
trained_model.weights()
print((time.perf_counter() - start) * 1000)
"""


def measure(folder: Path, quick: bool) -> list[Row]:
    """Prompts of the training's own sentences: as they are, and joined to longer ones, as people type."""
    del folder
    loads = [_load() for _ in range(3 if quick else 15)]
    prompts = _prompts(200 if quick else 3_000)
    context = Context(position=3, previous="add a page for the settings")
    detector.detect_feedback(prompts[0], context)
    took = []
    for prompt in prompts:
        start = time.perf_counter_ns()
        detector.detect_feedback(prompt, context)
        took.append((time.perf_counter_ns() - start) / 1e6)
    words = sum(len(prompt.split()) for prompt in prompts) / len(prompts)
    return [
        Row("Detector: weights loaded", 60, sorted(loads)[len(loads) // 2], "ms", tuple(loads)),
        Row("Detector: prompts judged a second", 1_000, 1_000 * len(took) / sum(took), "prompts/s",
            tuple(took), at_least=True, note=f"rules and model, {words:.0f} words a prompt on average"),
    ]  # fmt: skip


def _load() -> float:
    return float(subprocess.run([sys.executable, "-c", _LOAD], capture_output=True, check=True).stdout)


def _prompts(count: int) -> list[str]:
    lines = SENTENCES.read_text("utf-8").splitlines()
    remarks = [line.split("\t")[1].replace("\\n", "\n") for line in lines if "\t" in line]
    chance = random.Random(1)
    return [". ".join(chance.sample(remarks, chance.choice((1, 1, 1, 2, 3, 6)))) for _ in range(count)]
