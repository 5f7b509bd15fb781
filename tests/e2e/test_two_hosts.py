"""A story across two agents: corrected in Claude Code, told in Codex."""

from pathlib import Path

import pytest

from tests.e2e.conftest import NewLab
from tests.e2e.host_lab import HostLab, fetch, requests_with

pytestmark = pytest.mark.e2e


def test_a_correction_to_claude_holds_for_codex(new_lab: NewLab, realclient: Path) -> None:
    if reason := fetch(realclient, "codex"):
        pytest.skip(f"npm cannot install codex: {reason}")
    claude = new_lab()
    claude.play("says_pnpm")
    claude.learn("ingest")
    (draft,) = claude.listing("drafts")
    claude.learn("promote", draft["id"])
    codex = HostLab(realclient, "codex", claude.work)
    played = codex.play("hosts_told")
    assert requests_with(played, "Use pnpm, not npm") == [1, 2], played.report
    assert not (codex.project / "by-npm.txt").exists()
    codex.learn("ingest")
    assert [turn.host for turn in codex.turns()] == ["claude", "claude", "codex"]
    assert codex.listing("lessons")[0]["usage"]["told_sessions"] == 1
