"""`learn analyze`: what is new, or all of history."""

import json

import pytest

from learnloop.cli.main import main
from learnloop.learn.feedback import version
from tests.ingest.session_scene import Scene, write


@pytest.fixture
def heard(root: str) -> str:
    """A session in which a correction was typed, not ingested yet."""
    write(root, Scene().corrected().stop(prompt_id="p2"))
    return root


@pytest.mark.usefixtures("heard")
def test_it_takes_in_what_is_new_and_says_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze"]) == 0
    assert capsys.readouterr().out == "7 new events: 1 correction; 1 new draft.\n"
    assert main(["analyze"]) == 0
    assert capsys.readouterr().out == "0 new events: no feedback.\n"


@pytest.mark.usefixtures("heard")
def test_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {"events": 7, "feedback": {"correction": 1}, "new_drafts": 1, "outdated": False}
    assert main(["analyze", "--all", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["events"], document["turns"], document["outcomes"]) == (
        7,
        2,
        {"revision": 1, "unknown": 1},
    )


@pytest.mark.usefixtures("heard")
def test_all_of_history_is_read_without_a_word_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "--all"]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.startswith("Read 7 events anew: 2 turns.\n")
    assert "1 revision, 1 unknown" in output.out


@pytest.mark.usefixtures("heard")
def test_status_analyze_and_doctor_advise_it_for_an_older_detector(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["analyze"])
    monkeypatch.setattr(version, "DETECTOR", version.DETECTOR + 1)
    capsys.readouterr()
    for verb in ("analyze", "status", "doctor"):
        main([verb])
        output = capsys.readouterr()
        assert "older detector" in output.out + output.err
        assert "learn analyze --all" in output.out + output.err
