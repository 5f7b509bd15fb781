"""Claude Code: the host whose payloads all others are read as."""

from learnloop.hosts.claude import transcripts
from learnloop.hosts.host import Host
from learnloop.wire import payload_fields, payloads
from learnloop.wire.hosts.claude import DESCRIPTION

_MATCHERS = {
    "PreToolUse": "|".join(payload_fields.ASKED_TOOLS),
    "Notification": "|".join(payloads.NOTICES),
}

CLAUDE = Host(
    name="claude",
    title=DESCRIPTION["title"],
    program="claude",
    oldest=(2, 1, 118),
    settings="settings.json",
    local=".claude/settings.local.json",
    events={event: _MATCHERS.get(event, "") for event in DESCRIPTION["events"]},
    transcripts=transcripts,
    off=("settings.json", "disableAllHooks", True),
)
