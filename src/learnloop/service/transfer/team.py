"""A team's space on this machine: what of it is known, and what waits to be sent.

What is said of a lesson is the person's own verdict as the store has it. A lesson of others becomes a draft
by `share.take_in`, and never more. `space` is what exchanges both with the database.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import Field

from learnloop.errors import Busy, Refused, Unreadable
from learnloop.models import usage_counts
from learnloop.models.base import Document
from learnloop.service.elapsed import elapsed
from learnloop.service.lessons import documents
from learnloop.service.workspace import Workspace
from learnloop.store import files, locks
from learnloop.wire import clock

_NOT_SENT = "not sent before learn team upgrade, here and where the space was made"
_WAIT_S, _FEWEST, _MOST = 20.0, 3, 1_000_000
_CAREFUL = ("reject", "archive", "none", "approve")
"""Of verdicts of one person that did not know of each other the first one counts."""
COUNTED = ("told_sessions", "ignored", "corrected", "heeded", "stopped")
"""What is counted of a lesson: sessions by what became of it, and stopped calls."""
Count = tuple[str, tuple[int, ...]]
"""A lesson, and its counts in the order of `COUNTED`."""
Says = tuple[str, str]
"""A verdict, and the wording that it approves."""


class State(Document):
    """A space as this machine is in it; a file that only the person can read, since it holds the password."""

    params: dict[str, str]
    """Where the database is, and this machine's login there."""
    admin: dict[str, str] = Field(default_factory=dict)
    """The login of the database's owner, without a password, where the space was made here."""
    space: str
    member: str
    name: str = ""
    device: str
    former: str = ""
    """The device that this one follows, because the home or the database was put back, or the home copied."""
    home: str = ""
    """The first device of this home, and of all copies of it."""
    counts: bool = False
    """Whether the person was told that counts leave."""
    format: int = 1
    seq: int = 0
    """How many records this device has sent."""
    cursor: int = 0
    chain: str = ""
    said: dict[str, Says] = Field(default_factory=dict)
    """By lesson what this device said last."""
    told: dict[str, tuple[int, ...]] = Field(default_factory=dict)
    """By lesson what this device counted last, in the order of `COUNTED`."""
    shared: dict[str, str] = Field(default_factory=dict)
    """By lesson the text that a person let go."""
    fresh: tuple[str, ...] = ()
    """Lessons that changed since they were taken in."""
    synced: str = ""
    error: str = ""


Known = dict[str, dict[str, Any]]
"""What was read: `members`, `lessons`, by lesson `versions`, the person's `own` verdicts and `totals`."""


class Offer(NamedTuple):
    """A lesson of the team that this person has not decided on."""

    lesson_id: str
    body: str
    author: str
    counted: str


def _folder(root: str) -> Path:
    return Path(root, "team")


def state(root: str) -> State | None:
    """The space of this machine; None without one. Raises Unreadable for a damaged file."""
    data = files.read(_folder(root) / "state.json")
    try:
        return State.model_validate_json(data) if data else None
    except ValueError:
        raise Unreadable("the team's state cannot be read", "learn team leave forgets it") from None


def known(root: str) -> Known:
    """What was read of the space; nothing where its file is damaged, since it can be read again."""
    read = nothing()
    with contextlib.suppress(ValueError):
        read |= json.loads(files.read(_folder(root) / "lessons.json") or b"{}")
    return read


def nothing() -> Known:
    """What is known of a space that was not read."""
    return {"members": {}, "lessons": {}, "versions": {}, "own": {}, "totals": {}}


def save(root: str, present: State, read: Known | None = None) -> State:
    """The rows go first: a cursor that is lost only reads them again."""
    for name, rows in {"totals": read["totals"], "lessons": read}.items() if read is not None else ():
        files.replace(_folder(root) / f"{name}.json", [json.dumps(rows).encode()])
    files.replace(_folder(root) / "state.json", [present.model_dump_json().encode()])
    return present


def version_of(body: str) -> str:
    """The name of a wording: its hash."""
    return hashlib.sha256(body.encode()).hexdigest()[:32]


def share(ws: Workspace, lesson_id: str, body: str) -> None:
    """Let the text of a lesson go with the next exchange; raises Refused without a space."""
    with held(ws.root):
        present = joined(ws.root)
        save(ws.root, present.with_(shared={**present.shared, lesson_id: body}))


def report(ws: Workspace) -> dict[str, Any]:
    """Where the space of this machine stands, in words and numbers; empty without one."""
    if (present := state(ws.root)) is None:
        return {}
    read, age = known(ws.root), clock.now_ms() - clock.parse_ms(present.synced)
    in_use = [row for row in read["lessons"].values() if row["v"] and not row["archived"]]
    return {
        "team": present.name, "members": sum(not row["gone"] for row in read["members"].values()),
        "lessons": len(in_use), "waiting": len(list(owed(present, read, documents.lessons(ws.root)))),
        "exchanged": f"{elapsed(age)} ago" if present.synced else "never", "failed": present.error,
        "counts": "sent" if present.counts and present.format > 1 else _NOT_SENT,
    }  # fmt: skip


def held(root: str, wait_s: float = _WAIT_S) -> contextlib.AbstractContextManager[None]:
    """The lock of what is known here; raises Busy where an exchange takes longer."""
    return locks.held(_folder(root) / "lock", wait_s=wait_s, what="the team's exchange")


def joined(root: str) -> State:
    """The space of this machine; raises Refused without one."""
    if (present := state(root)) is None:
        raise Refused("this machine is in no team", "learn team join, or learn team create")
    return present


def offers(root: str) -> Iterator[Offer]:
    """The lessons that changed since they were taken in, and that this person did not turn down elsewhere."""
    if not (present := state(root)) or not present.fresh:
        return
    read = known(root)
    there = sum(not member["gone"] for member in read["members"].values())
    for tid in present.fresh:
        lesson = read["lessons"].get(tid, {})
        version = read["versions"].get(tid, {}).get(lesson.get("v"), {})
        if version.get("body") and not lesson["archived"] and standing(read, tid)[0] not in _CAREFUL[:2]:
            author = str(read["members"].get(version["author"], {}).get("name", ""))
            yield Offer(tid, version["body"], author, f"Approved by {lesson['approvals']} of {there}.")


def taken(root: str, offered: list[Offer]) -> None:
    """Note that what was offered is taken in; where an exchange is under way it is offered again."""
    with contextlib.suppress(Busy), held(root, wait_s=0.0):
        if (present := state(root)) and list(offers(root)) == offered:
            save(root, present.with_(fresh=()))


def standing(read: Known, tid: str) -> Says:
    """What this person's verdicts on a lesson come to, as `recount` of the schema counts them."""
    heads = [(row["says"], row["v"]) for row in _heads(read, tid).values()]
    return min(heads, key=lambda says: (_CAREFUL.index(says[0]), says[1]), default=("none", ""))


def _heads(read: Known, tid: str) -> dict[str, dict[str, Any]]:
    """This person's verdicts on a lesson that none of the others replaces, by id."""
    given = read["own"].get(tid, {})
    replaced = {name for row in given.values() for name in row["prev"]}
    return {name: row for name, row in sorted(given.items()) if name not in replaced}


def verdict(docs: Mapping[str, documents.Document], tid: str, wordings: Mapping[str, str]) -> Says | None:
    """What the store says of a lesson, None while it is open; `wordings` are statements by version."""
    doc = docs.get(tid)
    if doc is None or doc.get("claims") or doc.get("status") == "draft":
        return None
    if doc["status"] == "rejected":
        return "reject", ""
    while doc.get("superseded_by") in docs:
        doc = docs[str(doc["superseded_by"])]
    if doc["status"] != "active":
        return "archive", ""
    same = [v for v, statement in wordings.items() if statement == doc.get("statement")]
    return ("approve", same[-1]) if same else ("none", "")


def owed(
    present: State, read: Known, docs: Mapping[str, documents.Document]
) -> Iterator[tuple[dict[str, Any], Says | None]]:
    """The records that the space lacks, and what verdicts among them say. No text leaves unapproved."""
    for tid in sorted({*present.shared, *read["versions"]}):
        there = read["versions"].get(tid, {})
        bodies = {v: str(row["body"] or "") for v, row in there.items()}
        own = version_of(present.shared.get(tid, ""))
        if tid in present.shared:
            bodies.setdefault(own, present.shared[tid])
        says = verdict(docs, tid, {v: words for v, body in bodies.items() if (words := _statement(body))})
        if own not in there and says == ("approve", own):
            yield {"kind": "version", "tid": tid, "v": own, "body": bodies[own]}, None
        if says is not None and _is_news(says, present.said.get(tid), standing(read, tid)):
            yield {
                "kind": "stance", "tid": tid, "says": says[0], "v": says[1], "prev": list(_heads(read, tid)),
            }, says  # fmt: skip


def counts(present: State, read: Known, docs: Mapping[str, documents.Document]) -> Iterator[Count]:
    """What the store counted of the team's lessons that the person approved, where it was not told."""
    for tid in read["versions"] if present.counts and present.format > 1 else ():
        doc = docs.get(tid, {})
        usage = usage_counts.current(doc.get("usage") or {})
        row = tuple(min(usage.get(name, 0), _MOST) for name in COUNTED)
        is_approved = doc.get("status") in ("active", "archived") and not doc.get("claims")
        if is_approved and row[0] and row != present.told.get(tid):
            yield tid, row


def counted(root: str, tid: str) -> str:
    """What the team counted of a lesson: `heeded 31, ignored 2 in 5 people's sessions`; of three or more."""
    total: dict[str, int] = {}
    with contextlib.suppress(ValueError, AttributeError):
        total = json.loads(files.read(_folder(root) / "totals.json") or b"{}").get(tid, {})
    if total.get("people", 0) < _FEWEST:
        return ""
    shown = [name for name in ("heeded", "ignored", "corrected", "stopped") if total[name]] or ["told"]
    counts = ", ".join(f"{name} {total[name]:,}" for name in shown)
    return f"{counts} in {total['people']} people's sessions"


def _is_news(says: Says, before: Says | None, there: Says) -> bool:
    """Whether a verdict is to be sent; that a lesson was retired tells others only if it was approved."""
    return says not in (before, there) and (before is not None or says[0] in ("approve", "reject"))


def _statement(body: str) -> str:
    """The statement of a wording; empty where it has none, which others may have written."""
    try:
        return str(json.loads(body)["statement"])
    except (ValueError, TypeError, LookupError, RecursionError):
        return ""


def forget(root: str) -> None:
    """Remove what is known here of a space."""
    with held(root):
        for name in ("state.json", "lessons.json", "totals.json"):
            (_folder(root) / name).unlink(missing_ok=True)
