"""Codex: hooks in `~/.codex/hooks.json`, which run once the person has reviewed them."""

from learnloop.hosts.codex import rollouts
from learnloop.hosts.host import Host
from learnloop.wire.hosts.codex import DESCRIPTION

_MATCHERS = {"PreToolUse": "Bash|apply_patch"}

CODEX = Host(
    name="codex",
    title=DESCRIPTION["title"],
    program="codex",
    oldest=(0, 148, 0),
    settings="hooks.json",
    events={event: _MATCHERS.get(event, "") for event in DESCRIPTION["events"]},
    transcripts=rollouts,
    off=("config.toml", "features.hooks", False),
    approval='start codex in a terminal once and answer "Hooks need review" with "Trust all and continue"',
)
