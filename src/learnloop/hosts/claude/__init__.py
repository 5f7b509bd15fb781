"""Claude Code: the host whose payloads all others are read as."""

from learnloop.hosts.claude import transcripts
from learnloop.hosts.host import Host
from learnloop.wire import payload_fields, payloads

CLAUDE = Host(
    name="claude",
    program="claude",
    oldest=(2, 1, 118),
    settings="settings.json",
    local=".claude/settings.local.json",
    transcripts=transcripts,
    matchers={
        "PreToolUse": "|".join(payload_fields.ASKED_TOOLS),
        "Notification": "|".join(payloads.NOTICES),
    },
    off=("settings.json", "disableAllHooks", True),
)
