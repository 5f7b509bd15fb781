"""Cline: a plugin in `~/.cline/plugins`, whose file hooks would never see a prompt."""

from pathlib import Path

from learnloop.hosts.cline import messages_files
from learnloop.hosts.host import Host
from learnloop.wire.hosts.cline import DESCRIPTION

CLINE = Host(
    name="cline",
    title=DESCRIPTION["title"],
    program="cline",
    oldest=(3, 0, 65),
    settings="plugins/learnloop.js",
    events=dict.fromkeys(DESCRIPTION["events"], ""),
    transcripts=messages_files,
    plugin=Path(__file__).with_name("plugin.js"),
    plugin_folders=("plugins", ".cline/plugins"),
)
