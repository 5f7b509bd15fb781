"""What the records of a space come to, as a function of their set; `recount` of the schema has to agree."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from learnloop.service.transfer import team


class Verdict(NamedTuple):
    """One stance as the log has it."""

    id: str
    tid: str
    member: str
    v: str
    says: str
    prev: tuple[str, ...]


class Merged(NamedTuple):
    """A lesson as everybody sees it."""

    v: str | None
    approvals: int
    rejections: int
    archived: bool


def merged(
    leads: Collection[str], wordings: Mapping[str, Collection[str]], verdicts: Iterable[Verdict]
) -> dict[str, Merged]:
    """By lesson what the verdicts come to; `leads` are the maintainers, `wordings` versions by lesson."""
    given: dict[str, dict[str, dict[str, dict[str, Any]]]] = {tid: {} for tid in wordings}
    for each in verdicts:
        given.setdefault(each.tid, {}).setdefault(each.member, {})[each.id] = each._asdict()
    return {tid: _of_lesson(leads, wordings.get(tid, ()), by, tid) for tid, by in given.items()}


def _of_lesson(leads: Collection[str], there: Collection[str], by: Mapping[str, Any], tid: str) -> Merged:
    says = {member: team.standing({"own": {tid: own}}, tid) for member, own in by.items()}
    approved = {member: v for member, (what, v) in says.items() if what == "approve"}
    votes, led = Counter(approved.values()), Counter(v for member, v in approved.items() if member in leads)
    best = min((v for v in votes if v in there), key=lambda v: (-votes[v], -led[v], v), default=None)
    retired = any(what == "archive" and member in leads for member, (what, _) in says.items())
    return Merged(best, len(approved), sum(what == "reject" for what, _ in says.values()), retired)
