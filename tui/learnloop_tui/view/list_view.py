"""A cursor on a list of things that have ids: what the views of panes share. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar


class Named(Protocol):
    """Something that can be told apart."""

    @property
    def id(self) -> str:
        """Its id, one of its own."""


T = TypeVar("T", bound=Named)


@dataclass(frozen=True, kw_only=True)
class Pointing(Generic[T]):
    """A list with a cursor; a subclass says in `items` what it shows."""

    cursor: int = 0
    marks: frozenset[str] = frozenset()
    fresh: frozenset[str] = frozenset()

    @property
    def items(self) -> tuple[T, ...]:
        """What the list shows, in order."""
        raise NotImplementedError

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where each shown row stands."""
        return {row.id: at for at, row in enumerate(self.items)}

    @property
    def current(self) -> T | None:
        """The row under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None


V = TypeVar("V", bound=Pointing[Any])


def moved(view: V, cursor: int, **changes: Any) -> V:
    """The cursor on that row, or the nearest there is; what the list shows is not worked out anew."""
    made = replace(view, cursor=max(0, min(cursor, len(view.items) - 1)), **changes)
    made.__dict__["items"], made.__dict__["positions"] = view.items, view.positions
    return made


def followed(before: V, view: V) -> V:
    """The cursor of the view before carried over: on the row it was on, or where it stood."""
    current = before.current
    return moved(view, view.positions.get(current.id, before.cursor) if current else before.cursor)
