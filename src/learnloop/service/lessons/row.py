"""One lesson as lists show it, on the command line and in the console."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from learnloop.learn.lessons import origins, scorer

COMPLAINT = "Complaint: "
"""The beginning of the title of a draft that knows only what is wrong."""
_ALL = 1 << 30
_ORIGINS: dict[str, str] = {}
"""By source; cached, because a filter asks for it in every row at each letter."""


class Row(NamedTuple):
    """A lesson in a list; made without a model, so thousands of them are cheap."""

    id: str
    short: str
    status: str
    """`draft`, `active`, `archived` or `rejected`."""
    statement: str
    """The statement; of a draft that needs words the person's sentence, or the complaint."""
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
    """Sessions that were told it."""
    words: str
    """The text that a filter searches besides the short id, in lower case."""
    confidence: float = 0.5
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
    heeded: str = ""
    """Tellings that worked of those that were judged: `1/4`; empty before one was."""
    proposal: str = ""
    """Why it is proposed for archiving; empty where it is not, or was not looked up."""
    claimed: str = ""
    """The verdict that an agent may have given, and why it waits; empty where none does."""
    told: str = ""
    """All that an agent is told, where that is more than the statement."""
    folded: str = ""
    """Why a draft is folded: `weak`, `words` (it needs them), `said` (it is already); empty: it is not."""
    said: str = ""
    """Where a file says a draft already: `LEARNED.md:4`."""
    taken: bool = False
    """Whether a standing approval took it in."""
    path: str = ""
    """The folder below the project that it holds in alone."""
    repo: str = ""
    """The name of its repository: `github.com/acme/shop`."""
    named: str = ""
    """The project's folder with its parent, where another project's folder has the same name."""

    @property
    def external(self) -> bool:
        """Whether it quotes tool output or pasted material."""
        return self.trust == "external"

    @property
    def is_persons(self) -> bool:
        """Whether its words are the person's; others are read, and promoted, one by one."""
        return self.trust == "user"

    @property
    def chance(self) -> str:
        """The strength in a word: likely, maybe or weak."""
        return scorer.chance(self.strength)

    @property
    def label(self) -> str:
        """The statement; of a draft without one the person's sentence, marked as such."""
        return wordless_label(self.statement) if self.needs_words else self.statement

    @property
    def all_words(self) -> str:
        """Every word that an agent is told; of a draft without words the person's sentence."""
        return self.told or self.label

    @property
    def folder(self) -> str:
        """The name of the project, which tells it from others."""
        return self.named or self.project.rstrip("/").rpartition("/")[2]

    @property
    def use(self) -> int | None:
        """The usefulness, 0–100; None before the first recall."""
        return round(self.usefulness * 100) if self.recalled else None

    @property
    def origin(self) -> str:
        """Its origin in one word."""
        word = _ORIGINS.get(self.source)
        if word is None:
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


def told_words(doc: Mapping[str, Any]) -> str:
    """All that an agent is told of a lesson, whatever the room, where that is more than its statement."""
    if not doc.get("content") and not (doc.get("description") and origins.is_discovery(doc)):
        return ""
    from learnloop.learn.lessons import content
    from learnloop.learn.lessons.origins import further_details

    words = f"{content.agent_text(doc, _ALL)} {further_details(doc)}".strip()
    return "" if is_same_words(words, str(doc.get("statement", ""))) else words


def wordless_label(words: str) -> str:
    """The sentence of a draft that needs words, marked as such; a complaint says so by itself."""
    return words if words.startswith(COMPLAINT) else f"Needs words: {words}"


def is_same_words(quote: str, statement: str) -> bool:
    """Whether a quote tells nothing besides the statement or complaint; case and full stop do not count."""
    return _bare(quote) in ("", _bare(statement.removeprefix(COMPLAINT)))


def _bare(words: str) -> str:
    return " ".join(words.split()).rstrip(".").casefold()


def asked_words(title: str) -> str:
    """The question that a draft without words asks, by its title."""
    if title.startswith(COMPLAINT):
        return "What should the agent do instead?"
    return "What should the agent do? One sentence, as you would say it."


_FOLDED = {
    "likely": "{} likely", "maybe": "{} maybe", "weak": "{} weak", "words": "{} need words",
    "said": "{} said already",
}  # fmt: skip


def fold_words(rows: Iterable[Row]) -> str:
    """What is folded, in words: `14 more: 9 weak, 5 need words`."""
    counts = Counter(row.folded if row.folded in ("words", "said") else row.chance for row in rows)
    parts = [words.format(f"{counts[why]:,}") for why, words in _FOLDED.items() if counts[why]]
    return f"{counts.total():,} more: {', '.join(parts)}".replace(" 1 need words", " 1 needs words")
