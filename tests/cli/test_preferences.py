"""learn preferences: what is believed, confirmed, dropped and taken back on the command line."""

import json

import pytest

from learnloop.cli.main import main
from tests.recorded_events import remarks


@pytest.fixture
def said(root: str) -> str:
    """A store in which a person has remarked on their ways."""
    remarks(root)
    assert main(["ingest"]) == 0
    return root


def _trait(capsys: pytest.CaptureFixture[str], name: str) -> dict[str, object]:
    capsys.readouterr()
    assert main(["preferences", "--json"]) == 0
    found: dict[str, dict[str, object]] = json.loads(capsys.readouterr().out)
    return found[name]


def test_a_trait_is_listed_confirmed_and_taken_back(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preferences"]) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if " verbosity " in line)
    assert "not confirmed" in row
    assert "This user wants short answers." in row
    assert _trait(capsys, "verbosity")["confirmed"] is False
    assert main(["preferences", "confirm", "verbosity"]) == 0
    assert _trait(capsys, "verbosity")["confirmed"] is True
    assert main(["undo"]) == 0
    assert "This user wants short answers." in capsys.readouterr().out
    assert _trait(capsys, "verbosity")["confirmed"] is False


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["confirm"], "needs the id"),
        (["confirm", "verbosity", "--value", "loud"], "'loud' is no value"),
        (["drop", "zzzzzz"], "learn preferences lists"),
        (["resolve", "zzzzzz"], "--keep"),
        (["resolve", "zzzzzz", "--keep", "yyyyyy"], "no contradiction"),
        (["confirm", "explanation_depth"], "nothing is believed of explanation_depth"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    said: str, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    capsys.readouterr()
    assert main(["preferences", *arguments]) == 1
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_a_dropped_trait_says_so(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preferences", "drop", "verbosity"]) == 0
    assert _trait(capsys, "verbosity")["dismissed"] is True


def test_of_two_rules_one_is_kept(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["preferences", "--json"])
    capsys.readouterr()
    main(["preferences", "--json"])
    two = json.loads(capsys.readouterr().out)["contradictions"][0]
    assert main(["preferences", "resolve", two["id"][:6], "--keep", two["one"]["lesson_id"][:6]]) == 0
    capsys.readouterr()
    main(["preferences", "--json"])
    assert json.loads(capsys.readouterr().out)["contradictions"] == []
