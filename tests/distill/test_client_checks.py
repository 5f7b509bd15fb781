"""What is found out about a client once: its version decides the flags, and an older one is refused."""

import shlex
from pathlib import Path

import pytest

from learnloop.distill import model_clients
from learnloop.errors import Refused


def _claude(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A client on the path that tells a version and counts how often it was asked."""
    folder.mkdir(exist_ok=True)
    program = folder / "claude"
    program.write_text(
        f"#!/bin/sh\necho asked >> {shlex.quote(str(folder))}/asked\necho '{version} (Claude Code)'\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder / "asked"


@pytest.mark.parametrize(("version", "turns"), [("2.1.118", 2), ("2.1.196", 2), ("2.1.197", 1), ("2.2.0", 1)])
def test_the_version_decides_how_many_turns_an_answer_takes(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, turns: int
) -> None:
    asked = _claude(tmp_path / "bin", version, monkeypatch)
    assert [model_clients.chosen(()).turns for _ in range(2)] == [turns, turns]
    assert asked.read_text() == "asked\n"


def test_another_client_is_asked_anew(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _claude(tmp_path / "bin", "2.1.118", monkeypatch)
    model_clients.chosen(())
    _claude(tmp_path / "bin", "2.1.300", monkeypatch)
    assert model_clients.chosen(()).turns == 1


@pytest.mark.parametrize("version", ["2.1.117", "1.0.0", "no version"])
def test_one_that_cannot_be_shielded_is_refused(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    _claude(tmp_path / "bin", version, monkeypatch)
    with pytest.raises(Refused, match="too old"):
        model_clients.chosen(())


def test_where_there_is_none_it_is_said(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Refused, match="no claude on the path"):
        model_clients.chosen(())


@pytest.mark.parametrize("kept", [b"", b"[]", b"{broken", b'{"a": 1}'])
def test_what_is_remembered_may_be_anything(root: str, tmp_path: Path, kept: bytes) -> None:
    file = Path(root, "facts", "clients")
    file.parent.mkdir(parents=True)
    file.write_bytes(kept)
    model_clients.refuse_loud(root, model_clients.chosen(("/nowhere/llm",)), str(tmp_path), "small")
