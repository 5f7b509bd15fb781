"""Sources of lessons in words; discoveries and their rank. Pure; does not load pydantic.

A lesson's `source` names its maker: a rule, `block:discovery`, `draft:review`, `import:memory`.
"""

import time
from collections.abc import Iterable, Mapping
from typing import Any

from learnloop.wire import clock

DISCOVERIES = ("discovery", "block:discovery", "import:olympus", "import:notepad")
"""The sources of discoveries, which agents report."""
SYNTHESIS = "synthesis"
"""The source of what a model read in prompts."""
TAKEN = "_taken"
"""In a stored lesson: the standing approval of its project took it in."""
RANK = "_rank"
"""Under this name publish hands the rank of an approved discovery on."""
FRESH_DAYS = 90
"""A discovery's rank falls with age up to so many days."""
_OLDEST, _DAY_MS = 0.1, 86_400_000
_FIRST = ("block", "discovery", "proposal", "import", "told", "recurring", "synthesis", "demo", "team")
_TOLD = {
    "block:process_knowledge": "a block that an agent wrote",
    "block:discovery": "an agent's discovery, in a block",
    "discovery": "an agent's discovery, recorded by learn discover",
    "proposal": "what an agent proposed, through learn mcp",
    "draft:message": "a message that called it a lesson",
    "draft:output": "an agent's output, given to learn discover --draft",
    "draft:feedback": "a rating, given to learn discover --draft",
    "draft:test": "a test's error and fix, given to learn discover --draft",
    "draft:review": "a review comment, given to learn discover --draft",
    "import": "an export of another store", "import:bullets": "a list in a Markdown file",
    "import:memory": "Claude Code's auto-memory", "import:notepad": "a notepad, as a discovery",
    "import:olympus": "an Olympus folder, as a discovery",
    "import:olympus-rule": "a rule of an Olympus folder", "import:reflect": "claude-reflect's queue",
    "import:triads": "a triads graph", "told": "what you typed with learn add",
    "recurring": "a correction that came again and again",
    "repeated": "what was typed to an agent more than once", SYNTHESIS: "what a model read in your prompts",
    "demo": "the demo",
}  # fmt: skip


_TRUST = ("external", "agent", "user")


def is_less_trusted(lesson: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether a lesson's words are trusted less than another's."""
    return _TRUST.index(lesson.get("trust", "user")) < _TRUST.index(other.get("trust", "user"))


def origin_of(source: str) -> str:
    """A lesson's source in one word: prompt, told, block, discovery, import, test, review …"""
    head, _, tail = source.partition(":")
    if head == "draft":
        return tail or head
    if source == "block:discovery":
        return "discovery"
    if head in _FIRST:
        return head
    return "prompt" if source else ""


_FORMS = {
    "record": "an order to write a rule down", "standing": "a standing rule", "choice": "a choice",
    "prohibition": "what is not to be done", "approval": "a wish to be asked", "reproach": "a reproach",
    "obligation": "what has to be done", "wish": "a wish", "fact": "a fact",
}  # fmt: skip
"""The forms of sentences in words; `said:<form>` is the source of their drafts."""


def describe_source(source: str) -> str:
    """A lesson's source in words."""
    if source.partition(":")[0] == "team":
        return f"from the {source}"
    form = _FORMS.get(source.removeprefix("said:")) or source
    return _TOLD.get(source) or (f"what was typed to an agent: {form}" if source else "")


def in_person(doc: Mapping[str, Any], now: str = "") -> str:
    """When the person said a lesson last, or approved the words of others: `you said so on 22 Nov`.

    Empty where no time is known. A day of another year than `now` has its year.
    """
    is_own = doc.get("trust", "user") == "user" and not str(doc.get("source", "")).startswith(
        ("import", "team")
    )
    spoken = max((str(item.get("ts", "")) for item in doc.get("evidence") or ()), default="")
    ts = (is_own and spoken) or (not is_own and doc.get("reviewed_at")) or doc.get("created")
    day = local_day(str(ts), now)
    return day and f"you {'said so' if is_own else 'approved it'} on {day}"


def local_day(ts: str, now: str = "") -> str:
    """A time as a local day, `22 Nov`, with its year where `now` has another; empty where it is no time."""
    if not clock.parse_ms(ts):
        return ""
    then, today = (time.localtime(clock.parse_ms(at) / 1000) for at in (ts, now or ts))
    year = "" if then.tm_year == today.tm_year else f" {then.tm_year}"
    return f"{then.tm_mday} {time.strftime('%b', then)}{year}"


def is_discovery(doc: Mapping[str, Any]) -> bool:
    """Whether a lesson is an agent's discovery."""
    return str(doc.get("source", "")) in DISCOVERIES


def verifications(doc: Mapping[str, Any]) -> int:
    """How often a discovery was made again or rated helpful."""
    helpful = int((doc.get("usage") or {}).get("helpful", 0))
    return max(int(doc.get("seen_count", 1)) - 1, 0) + helpful


def last_useful(doc: Mapping[str, Any]) -> str:
    """When a discovery was last rated helpful, or else last made; empty if neither is known."""
    made = max((str(item.get("ts", "")) for item in doc.get("evidence") or ()), default="")
    return str((doc.get("usage") or {}).get("last_useful") or made)


def rank(doc: Mapping[str, Any], now_ms: int) -> float:
    """How useful a discovery is."""
    created, sure = str(doc.get("created", "")), float(doc.get("confidence", 0.5))
    return rank_of(verifications(doc), created, sure, now_ms)


def with_ranks(docs: Iterable[dict[str, Any]], now_ms: int) -> list[dict[str, Any]]:
    """All lessons; approved discoveries have their rank in thousandths under `_rank`."""

    def is_ranked(doc: dict[str, Any]) -> bool:
        return is_discovery(doc) and doc.get("status") == "active"

    return [{**doc, RANK: round(1000 * rank(doc, now_ms))} if is_ranked(doc) else doc for doc in docs]


def further_details(doc: Mapping[str, Any]) -> str:
    """A discovery's description; empty if it says the same as the summary."""
    description = " ".join(str(doc.get("description") or "").split()) if is_discovery(doc) else ""
    statement = str(doc.get("statement", "")).rstrip(".!?").casefold()
    return "" if description.rstrip(".!?").casefold() == statement else description


def rank_of(verified: int, created: str, confidence: float, now_ms: int) -> float:
    """(verifications + 1) · max(0.1, 1 − age / 90 days) · confidence."""
    fresh = max(_OLDEST, min(1.0, 1 - _days(created, now_ms) / FRESH_DAYS))
    return (verified + 1) * fresh * confidence


def age_days(doc: Mapping[str, Any], now_ms: int) -> int:
    """The age of a discovery in whole days."""
    return max(int(_days(str(doc.get("created", "")), now_ms)), 0)


def _days(created: str, now_ms: int) -> float:
    return (now_ms - clock.parse_ms(created, now_ms)) / _DAY_MS
