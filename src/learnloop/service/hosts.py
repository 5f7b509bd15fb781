"""Every host that Learnloop can be installed for."""

from learnloop.errors import Refused
from learnloop.hosts.claude import CLAUDE
from learnloop.hosts.cline import CLINE
from learnloop.hosts.codex import CODEX
from learnloop.hosts.copilot import COPILOT
from learnloop.hosts.cursor import CURSOR
from learnloop.hosts.droid import DROID
from learnloop.hosts.gemini import GEMINI
from learnloop.hosts.host import Host
from learnloop.hosts.opencode import OPENCODE
from learnloop.hosts.qwen import QWEN

HOSTS = (CLAUDE, CODEX, GEMINI, QWEN, COPILOT, DROID, OPENCODE, CLINE, CURSOR)
"""Each reads its own transcripts; of two that could read a file, the later is asked first."""


def host(name: str) -> Host:
    """The host of a name; raises Refused for an unknown one."""
    by_name = {each.name: each for each in HOSTS}
    if name not in by_name:
        raise Refused(f"no hooks for {name!r}", f"known: {', '.join(by_name)}")
    return by_name[name]
