"""The figures of the house keep below their ceilings, and the design shows them."""

from pathlib import Path

import pytest
from scripts.house import __main__ as command
from scripts.house.measures import MEASURES, House

PROJECT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_no_figure_is_above_its_ceiling_or_well_below() -> None:
    house = House(PROJECT)
    complaints = {measure.title: measure.complaint(measure.count(house)) for measure in MEASURES}
    assert {title: text for title, text in complaints.items() if text} == {}


def test_design_shows_ceilings_and_goals() -> None:
    page = command.PAGE.read_text("utf-8")
    assert page == command.with_goals(page), "run make docs"
