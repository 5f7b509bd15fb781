"""`learn analyze`: what is new, or all of history."""

import re
from pathlib import Path

import pytest

from learnloop.cli.main import main
from learnloop.learn.hear import version
from learnloop.store import locks
from tests.ingest.session_scene import Scene, write


@pytest.fixture
def heard(root: str) -> str:
    """A session in which a correction was typed, not ingested yet."""
    write(root, Scene().corrected().stop(prompt_id="p2"))
    return root


@pytest.mark.usefixtures("heard")
def test_it_takes_in_what_is_new_and_says_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ingest"]) == 0
    assert capsys.readouterr().out == "7 new events: 1 correction; 1 new draft.\n"
    assert main(["ingest"]) == 0
    said = capsys.readouterr().out
    assert re.fullmatch(
        r"0 new events: no feedback.\nYour last correction was .* ago; 1 draft waits: .*\n", said
    )


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize("verb", ["status", "lessons", "lessons --drafts", "lessons --stats"])
def test_verbs_that_read_take_in_what_waits(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(verb.split()) == 0
    assert re.search(r"1 draft|k[a-z2-7]{3}|correction", (output := capsys.readouterr()).out), output
    assert main(["ingest"]) == 0
    assert capsys.readouterr().out.startswith("0 new events")


def test_what_cannot_be_read_yet_is_said(heard: str, capsys: pytest.CaptureFixture[str]) -> None:
    with locks.held(Path(heard, "fold.lock"), wait_s=0.0, what="the journal"):
        assert main(["lessons"]) == 0
    assert "7 events are not read yet" in capsys.readouterr().err


@pytest.mark.usefixtures("heard")
def test_status_analyze_and_doctor_advise_it_for_an_older_detector(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["ingest"])
    monkeypatch.setattr(version, "DETECTOR", version.DETECTOR + 1)
    capsys.readouterr()
    for verb in ("ingest", "status", "doctor"):
        main([verb])
        output = capsys.readouterr()
        assert "older detector" in output.out + output.err
        assert "learn ingest --all" in output.out + output.err
