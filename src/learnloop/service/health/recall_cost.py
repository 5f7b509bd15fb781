"""What recall cost lately: the tokens that agents were told, and the calls that were stopped.

Imports no pydantic, because `learn status` reads it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

LATEST_DAYS = 7


@dataclass(frozen=True)
class RecallCost:
    """What agents were told on the latest days on which they were told anything, at most seven."""

    days: int = 0
    sessions: int = 0
    """Sessions that were told something; counted on the day of their first recall."""
    times: int = 0
    """Recalls: one may tell several lessons."""
    tokens: int = 0
    """A token is counted as four characters."""
    stopped: int = 0
    """Calls that were stopped before they ran."""
    judged: int = 0
    """Tellings whose outcome showed, or that a person rated, on whatever day."""
    heeded: int = 0

    @property
    def words(self) -> str:
        """The cost in one line."""
        if not self.times:
            return "nothing was told yet"
        per_session, per_day = self.tokens / max(1, self.sessions), self.tokens / max(1, self.days)
        stopped = f", {self.stopped:,} calls stopped" if self.stopped != 1 else ", 1 call stopped"
        told = f"about {per_session:,.0f} tokens a session, {per_day:,.0f} a day"
        return f"{told}{stopped if self.stopped else ''}{self._share}"

    @property
    def _share(self) -> str:
        if not self.judged:
            return ""
        percent = round(100 * self.heeded / self.judged)
        return f"; {self.heeded:,} of {self.judged:,} judged recalls heeded ({percent} %)"


def recall_cost(days: Mapping[str, Mapping[str, Any]], lessons: Iterable[Mapping[str, Any]]) -> RecallCost:
    """The cost by the counts that ingest keeps by day (the table `health`), and what lessons led to."""
    from learnloop.learn.lessons import scorer

    latest = [days[day]["told"] for day in sorted(days) if days[day].get("told")][-LATEST_DAYS:]
    sums: Counter[str] = Counter()
    for told in latest:
        sums.update(told)
    verdicts = [scorer.verdicts(lesson.get("usage") or {}) for lesson in lessons]
    judged = sum(each.good + each.failed + each.harmful for each in verdicts)
    return RecallCost(len(latest), judged=judged, heeded=sum(each.good for each in verdicts), **sums)


def of_store(root: str) -> RecallCost:
    """The cost by the counts in a store."""
    from learnloop.store.store import Store

    store = Store(root)
    told = (doc for doc in store.documents("lessons").values() if doc.get("_tellings"))
    return recall_cost(store.documents("health"), told)
