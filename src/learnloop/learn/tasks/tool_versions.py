"""Versions of programs, as commands printed them that only ask for one. Pure."""

import re
from collections.abc import Mapping
from typing import Any

_NUMBER = re.compile(r"\d+(?:\.\d+)+")


def seen(call: Mapping[str, Any]) -> str:
    """The program and its version (`node 20.11.1`) that a call printed; empty where it printed none."""
    program = str(call.get("command", "")).split(" ", 1)[0].rpartition("/")[2]
    number = _NUMBER.search(str(call.get("version", "")))
    return f"{program} {number[0]}" if number else ""
