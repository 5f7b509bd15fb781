"""Every host that Learnloop can be installed for."""

from learnloop.errors import Refused
from learnloop.hosts.claude import CLAUDE
from learnloop.hosts.codex import CODEX
from learnloop.hosts.host import Host

HOSTS = (CLAUDE, CODEX)


def host(name: str) -> Host:
    """The host of a name; raises Refused for an unknown one."""
    for each in HOSTS:
        if each.name == name:
            return each
    raise Refused(f"no hooks for {name!r}", f"known: {', '.join(each.name for each in HOSTS)}")
