"""One lesson as lists show it, on the command line and in the console."""

from typing import NamedTuple

_ORIGINS: dict[str, str] = {}
"""By source: a filter asks them of 10,000 rows for each letter."""


class Row(NamedTuple):
    """What a list shows of a lesson; made without a model, so 10,000 of them are cheap."""

    id: str
    short: str
    status: str
    """`draft`, `active`, `archived` or `rejected`."""
    statement: str
    """The statement, or the quote of a draft that still needs words."""
    needs_words: bool
    paused: bool
    scope: str
    project: str
    """The folder's path; empty for lessons that came from none."""
    seen: int
    strength: int
    """0–100."""
    usefulness: float
    """0–1; `use` tells whether anything was recalled yet."""
    recalled: int
    words: str
    """What a filter searches besides the short id, in lower case."""
    confidence: float = 0.5
    rule: str = ""
    """The rule that drafted it; empty where none did."""
    kind: str = ""
    category: str = ""
    priority: str = ""
    agents: tuple[str, ...] = ()
    """The agent that it was said to, and those that it is for."""
    source: str = ""
    """The rule, file or tool that made it."""
    trust: str = "user"
    created: str = ""
    verified: int | None = None
    """How often a discovery was verified; None for what is none."""
    rank: int | None = None
    """How useful a discovery is, in thousandths; None for what is none."""
    backfilled: bool = False
    """It was first seen in a transcript that was read afterwards."""
    proposal: str = ""
    """Why it is proposed for archiving; empty where it is not, or where nobody asked."""
    held: bool = False
    """A draft of a muted rule, or one that is less sure than the person's threshold: folded away."""

    @property
    def external(self) -> bool:
        """Quotes tool output or pasted material: never promoted in bulk."""
        return self.trust == "external"

    @property
    def folder(self) -> str:
        """The name of the project's folder."""
        return self.project.rstrip("/").rpartition("/")[2]

    @property
    def use(self) -> int | None:
        """The usefulness, 0–100; None before the first recall."""
        return round(self.usefulness * 100) if self.recalled else None

    @property
    def origin(self) -> str:
        """Where it comes from in one word."""
        found = _ORIGINS.get(self.source)
        if found is None:
            from learnloop.learn.lessons import origins

            found = _ORIGINS[self.source] = origins.origin_of(self.source)
        return found

    @property
    def state(self) -> str:
        """The status, or `paused` for an active lesson that is not told."""
        return "paused" if self.paused and self.status == "active" else self.status

    @property
    def haystack(self) -> str:
        """What a filter searches, in lower case."""
        return f"{self.short} {self.words}"
