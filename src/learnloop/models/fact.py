"""What a model read in prompts (facts and the runs that found them), and what files say already."""

import hashlib
from typing import Any, Literal, TypedDict

from pydantic import Field

from learnloop.models.base import Document

FACTS = "facts"
"""The table of facts."""
TEXT_MAX = 200
"""Characters of a fact."""
FactKind = Literal["correction", "preference", "belief", "stance"]
FactStatus = Literal["raw", "merged", "known", "unsupported", "refused", "draft", "taken"]
"""raw: from stage 1 · merged: part of another fact · known: said before · unsupported: not in the prompt ·
refused: rejected once · draft: waits in the Inbox · taken: approved by the standing approval."""
Stage = Literal["extract", "merge", "check", "acts", "ask", "summary", "reword"]
RunOutcome = Literal["done", "failed", "refused", "timeout"]


class Fact(Document):
    """One thing that a model says a person taught."""

    id: str
    """From the event and the text: the same at every run."""
    text: str = Field(min_length=1, max_length=TEXT_MAX)
    kind: FactKind = "preference"
    sure: int | None = Field(default=None, ge=0, le=100)
    """How sure the model was that it is approved as worded; None where it said nothing of it."""
    status: FactStatus = "raw"
    reason: str = ""
    """Why it has this status, in words."""
    session_id: str
    event_ids: tuple[str, ...]
    """The prompts that it comes from, the first one first."""
    project: str
    folder: str = ""
    """Below the project, for a fact about one part of it."""
    lesson_id: str = ""
    """The draft or lesson that holds it."""
    run_ids: tuple[str, ...] = ()
    created: str


Finding = TypedDict(
    "Finding",
    {
        "text": str, "kind": FactKind, "status": FactStatus, "reason": str, "event_ids": list[str],
        "folder": str, "from": list[str], "evidence": list[dict[str, Any]], "said": str, "draft_id": str,
        "sure": int, "is_global": bool, "when": list[str], "same_as": str, "contradicts": str,
    },
)  # fmt: skip
"""What an event of kind `facts` carries of one fact: `from` are the facts that it was made of, `said` what it
rests on, `draft_id` the draft that it becomes; `same_as` and `contradicts` are ids of lessons. Events of
earlier versions lack the last five."""


class Judged(TypedDict):
    """What a model says that a prompt says of the turn before it."""

    event_id: str
    ts: str
    words: str
    """Of the prompt."""
    says: list[str]
    turn_id: str
    """That turn; empty where none was before it."""
    started: str


class Broken(Document):
    """A lesson that a turn broke, as the model says that read it."""

    lesson_id: str
    words: str
    """The lesson's statement as it was then."""
    place: str
    """The file or command, or `the last message`."""
    why: str = Field(default="", max_length=TEXT_MAX)


class FactRun(Document):
    """One call of a model, as it is paid for."""

    id: str
    stage: Stage
    client: str
    model: str
    session_id: str = ""
    """Empty where the call was about no session: a summary, or better words."""
    prompts: int = 0
    """Prompts, drafts or files that were read."""
    turn_id: str = ""
    """The turn that was judged; empty where none was."""
    broken: tuple[Broken, ...] = ()
    """What it broke."""
    facts: int = 0
    started: str
    ms: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    cost_usd: float | None = None
    """None: the command tells no cost."""
    outcome: RunOutcome
    error: str = ""


def fact_id(event_id: str, text: str) -> str:
    """The id of what a model found in an event: the same whenever it finds it again."""
    words = " ".join(text.casefold().split())
    return hashlib.sha256(f"{event_id}\0{words}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


Category = Literal["Coding", "Testing", "Communication", "Architecture"]
Summary = dict[Category, tuple[str, ...]]
MOST_LINES = 50


class KnownFacts(Document):
    """The summary of one project."""

    project: str
    signature: str
    """Of the sources: another one makes the summary anew."""
    created: str
    sources: tuple[str, ...] = ()
    """The files that were read."""
    lines: Summary = Field(default_factory=dict)

    @property
    def text(self) -> str:
        """The summary as Markdown: a heading per category, a list item per line."""
        parts = [
            f"## {name}\n" + "".join(f"- {line}\n" for line in lines) for name, lines in self.lines.items()
        ]
        return "\n".join(parts)
