"""What a command does and when it can: an explicit table by command id, checked when it is built."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from inspect import isawaitable

from learnloop.keymap import commands

APP_COMMANDS = frozenset(("install", "backfill", "demo", "report"))
"""Commands of single panes that the app runs, whichever pane is open."""


def always() -> str:
    """No reason against it."""
    return ""


def needs(what: Callable[[], object], reason: str) -> Callable[[], str]:
    """The reason against a command as long as there is no such thing."""
    return lambda: "" if what() else reason


@dataclass(frozen=True)
class Action:
    """One command's handler."""

    run: Callable[[], Awaitable[object] | None]
    why_not: Callable[[], str] = always

    async def perform(self) -> None:
        """Run it to the end."""
        result = self.run()
        if isawaitable(result):
            await result


def action_table(
    places: Collection[str],
    handlers: Mapping[str, Action],
    *,
    also: Collection[str] = (),
    optional: Collection[str] = (),
    without: Collection[str] = APP_COMMANDS,
) -> Mapping[str, Action]:
    """`handlers`, checked against the commands of `places` and `also`, except those of `without`.

    `optional` are commands of other places that may have a handler here.
    Raises ValueError, which names every command without a handler and every handler without a command.
    """
    ids = {command.id for place in places for command in commands.of(place)} - set(without) | set(also)
    problems = [f"no handler for {name}" for name in sorted(ids - handlers.keys())]
    problems += [f"no command {name}" for name in sorted(handlers.keys() - ids - set(optional))]
    if problems:
        raise ValueError(f"{', '.join(places)}: {'; '.join(problems)}")
    return handlers
