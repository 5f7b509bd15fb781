"""One lesson as lists show it, on the command line and in the console."""

from typing import NamedTuple

_ORIGINS: dict[str, str] = {}
"""By source; cached, because a filter asks for it in every row at each letter."""


class Row(NamedTuple):
    """A lesson in a list; made without a model, so thousands of them are cheap."""

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
    """0–1; `use` is None before the first recall."""
    recalled: int
    words: str
    """The text that a filter searches besides the short id, in lower case."""
    confidence: float = 0.5
    rule: str = ""
    """The rule that drafted it; empty where none did."""
    kind: str = ""
    category: str = ""
    priority: str = ""
    agents: tuple[str, ...] = ()
    """The agent that got the correction, and the agents that it is for."""
    source: str = ""
    """The rule, file or tool that made it."""
    trust: str = "user"
    created: str = ""
    verified: int | None = None
    """How often a discovery was verified; None for other lessons."""
    rank: int | None = None
    """The rank of a discovery, in thousandths; None for other lessons."""
    backfilled: bool = False
    """Whether it was first seen in a transcript of an old session."""
    proposal: str = ""
    """Why it is proposed for archiving; empty where it is not, or was not looked up."""
    held: bool = False
    """Whether it is folded away: a draft of a muted rule, or below the person's threshold."""

    @property
    def external(self) -> bool:
        """Whether it quotes tool output or pasted material; such a draft is never promoted in bulk."""
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
        """Its origin in one word."""
        word = _ORIGINS.get(self.source)
        if word is None:
            from learnloop.learn.lessons import origins

            word = _ORIGINS[self.source] = origins.origin_of(self.source)
        return word

    @property
    def state(self) -> str:
        """The status, or `paused` for an active lesson that is not recalled."""
        return "paused" if self.paused and self.status == "active" else self.status

    @property
    def haystack(self) -> str:
        """The text that a filter searches, in lower case."""
        return f"{self.short} {self.words}"
