"""How often chances come true, as training prints it and the page shows it; the words for a chance follow."""

import re
from pathlib import Path

import pytest
from scripts import calibration_table

from learnloop.learn.lessons import scorer

PAGE = Path(__file__).parents[3] / "docs" / "detection.md"
_ROW = re.compile(r"\| (\d+)–(\d+) % \| (\d+) \| (\d+)% \|")


def test_each_chance_is_in_one_band_and_bands_of_few_are_joined_with_the_one_below() -> None:
    chances = [0.0, 0.05, 0.1, *[0.45] * 12, *[0.55] * 12, *[0.61] * 11, 0.99, 1.0]
    truths = [*[False] * 3, *[True] * 6, *[False] * 6, *[True, False, False] * 4, *[True] * 12, False]
    assert list(calibration_table.bands(chances, truths)) == [
        (0, 50, 15, 0.4), (50, 60, 12, pytest.approx(1 / 3)), (60, 100, 13, 12 / 13),
    ]  # fmt: skip
    assert list(calibration_table.bands([], [])) == []


def _tables() -> dict[str, list[tuple[int, int, int, int]]]:
    """The tables of the page, by what they count."""
    parts = PAGE.read_text("utf-8").split("| chance of ")[1:]
    return {
        part.split(" |")[0]: [(int(a), int(b), int(n), int(s)) for a, b, n, s in _ROW.findall(part)]
        for part in parts
    }


def test_the_page_shows_what_training_prints() -> None:
    for of_what, rows in _tables().items():
        chances = [(low + high) / 200 for low, high, count, _ in rows for _ in range(count)]
        truths = [at < round(count * share / 100) for *_, count, share in rows for at in range(count)]
        printed = calibration_table.table(f"chance of {of_what}", chances, truths)
        page = PAGE.read_text("utf-8")
        assert all(line in page for line in list(printed)[:2])
        assert [low for low, *_ in rows] == sorted({low for low, *_ in rows})


def test_a_likely_draft_is_kept_by_four_of_five_and_one_that_may_be_by_two_of_three() -> None:
    drafts = _tables()["a draft"]
    shares = {low: share for low, _, _, share in drafts}
    assert all(share >= 80 for low, share in shares.items() if low >= scorer.LIKELY)
    assert all(share >= 65 for low, share in shares.items() if low >= scorer.MAYBE // 10 * 10)
    assert all(share < 60 for low, share in shares.items() if low < scorer.WEAK // 10 * 10)
    feedback = [share for *_, share in _tables()["feedback"]]
    assert feedback == sorted(feedback)
