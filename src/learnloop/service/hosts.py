"""Every host that Learnloop can be installed for."""

from learnloop.hosts.table import HOSTS, host

__all__ = ["HOSTS", "host"]
