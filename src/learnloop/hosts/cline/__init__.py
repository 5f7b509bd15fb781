"""Cline: a plugin in `~/.cline/plugins`, whose file hooks would never see a prompt."""

from pathlib import Path

from learnloop.hosts.cline import messages_files
from learnloop.hosts.host import Host

CLINE = Host(
    name="cline",
    program="cline",
    oldest=(3, 0, 65),
    settings="plugins/learnloop.js",
    transcripts=messages_files,
    plugin=Path(__file__).with_name("plugin.js"),
    plugin_folders=("plugins", ".cline/plugins"),
)
