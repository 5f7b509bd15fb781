"""Stories across two agents: corrected in the one, told in the other, and one lesson of both."""

from pathlib import Path

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.host_lab import HostLab, fetch, requests_with
from tests.e2e.lab import Lab

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module", autouse=True)
def codex_is_there(realclient: Path, terminal: None) -> None:
    if reason := fetch(realclient, "codex"):
        pytest.skip(f"npm cannot install codex: {reason}")


def test_a_correction_to_claude_holds_for_codex(new_lab: NewLab, realclient: Path) -> None:
    claude = new_lab()
    claude.play("says_pnpm")
    short = claude.approve()["id"]
    codex = HostLab(realclient, "codex", claude.work)
    played = codex.play("hosts_told")
    assert requests_with(played, "Use pnpm, not npm") == [1, 2], played.report
    assert not (codex.project / "by-npm.txt").exists()
    codex.learn("ingest")
    assert [turn.host for turn in codex.turns()] == ["claude", "claude", "codex"]
    assert codex.listing("lessons")[0]["usage"]["told_sessions"] == 1
    assert agents(codex, short) == {"corrected in": "Claude Code", "told in": "Codex"}
    assert {session["host"] for session in codex.listing("sessions")} == {"claude", "codex"}


def test_a_correction_to_codex_holds_for_claude(new_lab: NewLab, realclient: Path) -> None:
    claude = new_lab()
    codex = HostLab(realclient, "codex", claude.work)
    codex.play("hosts_learn")
    short = codex.approve()["id"]
    claude.play("uses_npm")
    assert not (claude.project / "by-npm.txt").exists()
    assert (claude.project / "by-pnpm.txt").exists()
    claude.learn("ingest")
    assert [turn.host for turn in claude.turns()] == ["codex", "codex", "claude"]
    assert agents(claude, short) == {"corrected in": "Codex", "told in": "Claude Code"}


def agents(lab: Lab, lesson_id: str) -> dict[str, str]:
    """The agents that `learn show` names."""
    lines = (line.strip().partition("  ") for line in lab.learn("show", lesson_id).splitlines())
    return {name: rest.strip() for name, _, rest in lines if name in ("corrected in", "told in")}
