"""Codex: hooks in `~/.codex/hooks.json`, which run once the person has reviewed them."""

from learnloop.hosts.codex import rollouts
from learnloop.hosts.host import Host

CODEX = Host(
    name="codex",
    program="codex",
    oldest=(0, 148, 0),
    settings="hooks.json",
    transcripts=rollouts,
    matchers={"PreToolUse": "Bash|apply_patch"},
    off=("config.toml", "features.hooks", False),
    approval='start codex in a terminal once and answer "Hooks need review" with "Trust all and continue"',
)
