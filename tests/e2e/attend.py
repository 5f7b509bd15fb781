"""Lets hooks believe that a person sits at the session, though print mode says that nobody does."""

import json
import sys
from pathlib import Path

SIGN = "CLAUDE_CODE_SESSION_ATTENDED=1 "


def attend(path: Path) -> None:
    """Put the client's own sign before each command."""
    settings = json.loads(path.read_text("utf-8"))
    for groups in settings.get("hooks", {}).values():
        for hook in (hook for group in groups for hook in group["hooks"]):
            hook["command"] = SIGN + hook["command"].removeprefix(SIGN)
    path.write_text(json.dumps(settings, indent=2), "utf-8")


if __name__ == "__main__":
    attend(Path(sys.argv[1]))
