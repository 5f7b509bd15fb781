"""OpenCode: a plugin in `~/.config/opencode/plugin`, and all sessions in one SQLite file."""

from pathlib import Path

from learnloop.hosts.host import Host
from learnloop.hosts.opencode import session_store

OPENCODE = Host(
    name="opencode",
    program="opencode",
    oldest=(1, 18, 0),
    settings="plugin/learnloop.js",
    transcripts=session_store,
    plugin=Path(__file__).with_name("plugin.js"),
    plugin_folders=("plugin", "plugins", ".opencode/plugin", ".opencode/plugins"),
)
