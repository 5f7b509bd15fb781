"""Every host that Learnloop can be installed for."""

from learnloop.errors import Refused
from learnloop.hosts.claude import CLAUDE
from learnloop.hosts.cline import CLINE
from learnloop.hosts.codex import CODEX
from learnloop.hosts.copilot import COPILOT
from learnloop.hosts.droid import DROID
from learnloop.hosts.gemini import GEMINI
from learnloop.hosts.host import Host
from learnloop.hosts.opencode import OPENCODE
from learnloop.hosts.qwen import QWEN

HOSTS = (CLAUDE, CODEX, GEMINI, QWEN, COPILOT, DROID, OPENCODE, CLINE)
"""Each reads its own transcripts; of two that could read a file, the later is asked first."""


def host(name: str) -> Host:
    """The host of a name; raises Refused for an unknown one."""
    for each in HOSTS:
        if each.name == name:
            return each
    raise Refused(f"no hooks for {name!r}", f"known: {', '.join(each.name for each in HOSTS)}")
