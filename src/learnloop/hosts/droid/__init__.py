"""Factory droid: hooks in `~/.factory/hooks.json` unless that is empty, then in `settings.json`."""

from learnloop.hosts.droid import droid_sessions
from learnloop.hosts.host import Host

DROID = Host(
    name="droid",
    program="droid",
    oldest=(0, 225, 0),
    settings="settings.json",
    shadowed_by="hooks.json",
    transcripts=droid_sessions,
    matchers={"PreToolUse": "Create|Edit|ApplyPatch|Execute"},
)
