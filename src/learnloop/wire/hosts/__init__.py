"""How agents other than Claude Code speak to hooks, as data: one module a host, loaded for its hooks alone.

`translation` reads a payload by such a description as Claude Code's own, so that one path records and
recalls for every host. Installing, backfill and the documentation read the same descriptions.
"""

import sys

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import Any, NotRequired, TypedDict

    class Description(TypedDict):
        """What a hook must know of a host; events and tools on the right are those of Claude Code."""

        title: str
        """Its name for people."""
        events: dict[str, str]
        """The events that are registered, each with the one it is read as."""
        fields: dict[str, str]
        """Names of fields, each with the one it is read as; of two that are there the later counts."""
        tools: dict[str, tuple[str, dict[str, str]]]
        """Tools, each with the one it is read as and names of its inputs; `patch` is the text of a patch."""
        machine: tuple[str, ...]
        """Fields that say of a prompt that no person typed it, and of an end that it is a subagent's."""
        caller: NotRequired[str]
        """The field in the start of a subagent's own session that names the session which called it."""
        told: tuple[str, ...]
        """Where a text of ours reaches the model."""
        stopped: tuple[str, ...]
        """Where we can deny a call, or let the agent go on."""
        answers: dict[str, Any]
        """The answer that tells (`context`), denies (`deny`), goes on (`again`) or shows (`message`) TEXT."""
        project: NotRequired[str]
        """The variable that names the folder it was started in."""
        variants: NotRequired[dict[str, tuple[str, dict[str, str]]]]
        """Events that a field makes other ones: the field, and by its value the event; empty for none."""
        notices: NotRequired[dict[str, str]]
        """Kinds of notifications, each with the one it is read as."""
        refused: NotRequired[str]
        """The status of a call in a batch that the person refused; other batches say nothing new."""
        added: NotRequired[tuple[str, str]]
        """What stands before and after a hook's context that the host puts into a prompt."""
        exit_code: NotRequired[str]
        """What stands before the exit code in a command's output."""
        cancelled: NotRequired[str]
        """What stands in the output of a command that the person cut off."""
        print: NotRequired[tuple[str, ...]]
        """Words on its command line that say that no person sits there."""
        plugins: NotRequired[str]
        """The script that runs its plugins in a process of their own."""
        piped: NotRequired[tuple[str, ...]]
        """Where it needs a terminal for a person, the words on its command line that stand for one."""
        limits: tuple[str, ...]
        """What is not possible with it, in sentences."""


CLAUDE = "claude"
NAMES = (CLAUDE, "codex", "gemini", "qwen", "copilot", "droid", "opencode", "cline", "cursor")
"""Every host, in the order in which people are shown them."""
EVENT, TEXT = "$EVENT", "$TEXT"
"""Stand in answers for the host's name of the event, and for our words."""
NESTED = {"hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": TEXT}}
"""The answer that tells, as most hosts took it over from Claude Code."""
DENIED = {
    "hookSpecificOutput": {
        "hookEventName": EVENT,
        "permissionDecision": "deny",
        "permissionDecisionReason": TEXT,
    }
}
"""The answer that denies a call, where a host took that over too."""


def description(host: str) -> "Description":
    """What is known of a host other than Claude Code; raises ValueError for an unknown one."""
    if host not in NAMES:
        raise ValueError("an unknown host")
    name = f"{__name__}.{host}"
    __import__(name)
    data: Description = sys.modules[name].DESCRIPTION
    return data
