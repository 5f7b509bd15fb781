"""Factory droid: hooks in `~/.factory/hooks.json` unless that is empty, then in `settings.json`."""

from learnloop.hosts.droid import droid_sessions
from learnloop.hosts.host import Host
from learnloop.wire.hosts.droid import DESCRIPTION

_MATCHERS = {"PreToolUse": "Create|Edit|ApplyPatch|Execute"}

DROID = Host(
    name="droid",
    title=DESCRIPTION["title"],
    program="droid",
    oldest=(0, 225, 0),
    settings="settings.json",
    shadowed_by="hooks.json",
    events={event: _MATCHERS.get(event, "") for event in DESCRIPTION["events"]},
    transcripts=droid_sessions,
)
