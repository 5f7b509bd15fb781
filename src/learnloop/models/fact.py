"""What a model read in prompts: the facts, and the runs that found them."""

import hashlib
from typing import Literal

from pydantic import Field

from learnloop.models.base import Document

TEXT_MAX = 200
"""Characters of a fact."""
FactKind = Literal["correction", "preference", "belief", "stance"]
FactStatus = Literal["raw", "merged", "known", "unsupported", "refused", "draft", "taken"]
"""raw: from stage 1 · merged: part of another fact · known: said before · unsupported: not in the prompt ·
refused: rejected once · draft: waits in Triage · taken: approved by the standing approval."""
Stage = Literal["extract", "merge", "summary", "reword"]
RunOutcome = Literal["done", "failed", "refused", "timeout"]


class Fact(Document):
    """One thing that a model says a person taught."""

    id: str
    """From the event and the text: the same at every run."""
    text: str = Field(min_length=1, max_length=TEXT_MAX)
    kind: FactKind = "preference"
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
