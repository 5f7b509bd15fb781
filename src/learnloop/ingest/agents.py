"""Agents' tallies, kept up to date by what changed in turns; store/agents.json has a cursor of its own.

A running turn keeps what it was counted as (`_shares`), so that a segment's effects are the difference. What
is counted already is never read again, and a segment that the file has taken in is not counted twice.
"""

from collections.abc import Iterable
from typing import Any

from learnloop.ingest.effects import Remarked, Tallied
from learnloop.learn.language import statement
from learnloop.learn.profile import agents
from learnloop.store.store import Store

Doc = dict[str, Any]

TABLE = "agents"
SHARES = "_shares"
MOST_TALLIES = 1_000
OTHERS = "other agents"
"""Who further agents are counted for, once there are that many tallies."""
_WORDS = 400
_FAILED = ("revision", "cancellation")


def shares(turn: Doc) -> list[list[Any]]:
    """What a turn counts for whom, as the state can keep it."""
    return [
        [one.agent, one.day, [*one.counts], [*one.areas], [*one.told]] for one in agents.contributions(turn)
    ]


def tallied(turn: Doc) -> Tallied | None:
    """What is different since a running turn was counted last, if anything."""
    before, after = turn.get(SHARES, []), shares(turn)
    if before == after:
        return None
    turn[SHARES] = after
    return Tallied(turn["project"], turn["host"], turn["started"], before, after)


def remarked(feedback: Doc, host: str) -> Remarked | None:
    """A correction as the themes of its agent keep it; None for praise and where nobody said a word."""
    words = str(feedback.get("user_message", ""))
    is_said = bool(words.strip()) and not feedback.get("inferred")
    if feedback["event_type"] not in _FAILED or not feedback.get("agent_used") or not is_said:
        return None
    remark = {
        "id": feedback["id"], "turn": feedback["turn_id"], "ts": feedback["timestamp"],
        "words": words[:_WORDS], "says": statement.make(words[:_WORDS], orders_too=True) or "",
    }  # fmt: skip
    agent = agents.stored_name(str(feedback["agent_used"]))
    return Remarked(agent, feedback["project_path"], host, remark)


class Agents:
    """The tallies within one transaction."""

    def __init__(self, tx: Any) -> None:
        self._table = tx.table(TABLE)
        self._read: dict[str, Doc] = {}
        if tx.cursor and not self._table.cursor and not len(self._table):
            _fill(self._table, rebuilt(*_stored(tx.root)))  # the store is older than its agents

    def apply(self, segment: str, effect: Tallied | Remarked) -> None:
        """Take in a change, unless the file has it."""
        if self._table.cursor < segment:
            _take(effect, self._get, self._put)

    def _get(self, agent: str, project: str, host: str) -> Doc:
        doc_id = agents.tally_id(agent, project, host)
        found: Doc | None = self._read.get(doc_id) or self._table.get(doc_id)
        if found is not None:
            return found
        if len(self._table) >= MOST_TALLIES and agent != OTHERS:
            return self._get(OTHERS, "", "")
        return agents.empty_tally(agent, project, host)

    def _put(self, tally: Doc) -> None:
        if agents.is_empty(tally):
            self._read.pop(tally["id"], None)
            self._table.remove(tally["id"])
        else:
            self._read[tally["id"]] = tally
            self._table.put(tally["id"], tally)


def rebuilt(turns: Iterable[Doc], feedback: Iterable[Doc]) -> dict[str, Doc]:
    """All tallies by id, counted from stored turns and feedback alone."""
    found: dict[str, Doc] = {}

    def get(agent: str, project: str, host: str) -> Doc:
        return found.get(agents.tally_id(agent, project, host)) or agents.empty_tally(agent, project, host)

    def put(tally: Doc) -> None:
        found[tally["id"]] = tally

    hosts = {}
    for turn in turns:
        hosts[turn["id"]] = turn["host"]
        _take(Tallied(turn["project"], turn["host"], turn["started"], [], shares(turn)), get, put)
    for doc in sorted(feedback, key=lambda one: (one["timestamp"], one["id"])):
        heard = remarked(doc, hosts[doc["turn_id"]]) if doc["turn_id"] in hosts else None
        if heard is not None:
            _take(heard, get, put)
    return found


def recount(table: Any, turns: Iterable[Doc], feedback: Iterable[Doc]) -> None:
    """Put tallies counted anew in place of all there are."""
    _fill(table, rebuilt(turns, feedback))


def rebuild(root: str, wait_s: float = 5.0) -> None:
    """Count all agents anew from the stored documents; raises Busy, or Repaired where a file was damaged."""
    with Store(root).transaction(wait_s=wait_s) as tx:
        recount(tx.table(TABLE), *_stored(root))


def _fill(table: Any, found: dict[str, Doc]) -> None:
    for doc_id in table.all():
        if doc_id not in found:
            table.remove(doc_id)
    for doc_id, doc in found.items():
        table.put(doc_id, doc)


def _stored(root: str) -> tuple[Iterable[Doc], Iterable[Doc]]:
    """Stored turns and feedback, a file at a time."""
    store = Store(root)
    turns, feedback = (
        (doc for name in store.shards(table) for doc in store.documents(name).values())
        for table in ("turns", "feedback")
    )
    return turns, feedback


def _take(effect: Tallied | Remarked, get: Any, put: Any) -> None:
    if isinstance(effect, Remarked):
        _remember(get(effect.agent, effect.project, effect.host), effect.remark, put)
        return
    for found, sign in ((effect.before, -1), (effect.after, 1)):
        for name, day, counts, work, told in found:
            tally = get(name, effect.project, effect.host)
            agents.count_contribution(
                tally, agents.Contribution(name, day, tuple(counts), tuple(work), tuple(told)), sign
            )
            tally["last_updated"] = max(tally["last_updated"], effect.started)
            put(tally)


def _remember(tally: Doc, remark: Doc, put: Any) -> None:
    """Keep the newest remarks, each once."""
    remarks = {**tally["_remarks"], remark["id"]: remark}
    newest = sorted(remarks.values(), key=lambda one: (one["ts"], one["id"]))[-agents.MOST_REMARKS :]
    tally["_remarks"] = {one["id"]: one for one in newest}
    put(tally)
