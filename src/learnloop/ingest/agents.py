"""Agents' tallies, kept up to date by what changed in turns; store/agents.json has a cursor of its own.

A running turn remembers what it was counted as (`_shares`), so an effect is the difference. A segment at or
before the file's cursor is never counted twice.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from learnloop.ingest.effects import AgentRemarked, RemarkWithdrawn, TallyChanged
from learnloop.ingest.running import RunningTurn
from learnloop.learn.hear import wording
from learnloop.learn.hear.prompts import CORRECTING
from learnloop.learn.profile import agent_tallies
from learnloop.store.store import Store

Doc = dict[str, Any]

TABLE = "agents"
MOST_TALLIES = 1_000
OTHERS = "other agents"
"""The tally that further agents share, once there are `MOST_TALLIES`."""
_WORDS = 400


def shares(turn: Mapping[str, Any]) -> list[list[Any]]:
    """Return what a turn counts for whom, as JSON: [[agent, day, counts, areas, lesson ids, silent]]."""
    return [
        [share.agent, share.day, [*share.counts], [*share.areas], [*share.recalled], share.silent]
        for share in agent_tallies.contributions(dict(turn))
    ]


def tallied(turn: RunningTurn) -> TallyChanged | None:
    """Return the difference since a running turn was last counted; None if there is none."""
    after = shares(turn)
    before = turn.setdefault("_shares", after)  # a turn that is older than the tallies is in them already
    if before == after:
        return None
    turn["_shares"] = after
    return TallyChanged(turn["project"], turn["host"], turn["started"], before, after)


def remarked(feedback: Doc, host: str) -> AgentRemarked | None:
    """Return a correction for the themes of its agent; None for praise and inferred feedback."""
    words = str(feedback.get("user_message", ""))
    is_said = bool(words.strip()) and not feedback.get("inferred")
    if feedback["feedback_category"] not in CORRECTING or not feedback.get("agent_used") or not is_said:
        return None
    remark = {
        "id": feedback["id"], "turn": feedback["turn_id"], "ts": feedback["timestamp"],
        "words": words[:_WORDS], "says": wording.make(words[:_WORDS]),
    }  # fmt: skip
    agent = agent_tallies.stored_name(str(feedback["agent_used"]))
    return AgentRemarked(agent, feedback["project_path"], host, remark)


class Agents:
    """The tallies within one transaction."""

    def __init__(self, tx: Any) -> None:
        self._table = tx.table(TABLE)
        self._read: dict[str, Doc] = {}
        if tx.cursor and not self._table.cursor and not len(self._table):
            store = Store(tx.root)  # it is older than its agents
            self._table.replace_all(rebuilt(store.all_documents("turns"), store.all_documents("feedback")))

    def apply(self, effect: TallyChanged | AgentRemarked | RemarkWithdrawn) -> None:
        """Apply a change, unless the file has it already."""
        if not self._table.is_ahead:
            _take(effect, self._get, self._put)

    def _get(self, agent: str, project: str, host: str) -> Doc:
        doc_id = agent_tallies.tally_id(agent, project, host)
        tally: Doc | None = self._read.get(doc_id) or self._table.get(doc_id)
        if tally is not None:
            return tally
        if len(self._table) >= MOST_TALLIES and agent != OTHERS:
            return self._get(OTHERS, "", "")
        return agent_tallies.empty_tally(agent, project, host)

    def _put(self, tally: Doc) -> None:
        if agent_tallies.is_empty(tally):
            self._read.pop(tally["id"], None)
            self._table.remove(tally["id"])
        else:
            self._read[tally["id"]] = tally
            self._table.put(tally["id"], tally)


def rebuilt(turns: Iterable[Doc], feedback: Iterable[Doc]) -> dict[str, Doc]:
    """Return all tallies by id, counted from stored turns and feedback alone."""
    tallies: dict[str, Doc] = {}

    def get(agent: str, project: str, host: str) -> Doc:
        tally = agent_tallies.empty_tally(agent, project, host)
        return tallies.setdefault(tally["id"], tally)

    hosts = {}
    for turn in turns:
        hosts[turn["id"]] = turn["host"]
        _take(TallyChanged(turn["project"], turn["host"], turn["started"], [], shares(turn)), get)
    for doc in sorted(feedback, key=lambda doc: (doc["timestamp"], doc["id"])):
        remark = remarked(doc, hosts[doc["turn_id"]]) if doc["turn_id"] in hosts else None
        if remark is not None:
            _take(remark, get)
    return tallies


def _take(
    effect: TallyChanged | AgentRemarked | RemarkWithdrawn, get: Any,
    put: Callable[[Doc], None] = lambda _tally: None,
) -> None:  # fmt: skip
    if isinstance(effect, AgentRemarked | RemarkWithdrawn):
        tally = get(effect.agent, effect.project, effect.host)
        if isinstance(effect, RemarkWithdrawn):
            tally["_remarks"].pop(effect.id, None)
        else:
            remarks = {**tally["_remarks"], effect.remark["id"]: effect.remark}
            newest = sorted(remarks.values(), key=lambda remark: (remark["ts"], remark["id"]))
            tally["_remarks"] = {each["id"]: each for each in newest[-agent_tallies.MOST_REMARKS :]}
        put(tally)
        return
    for shares_, sign in ((effect.before, -1), (effect.after, 1)):
        for name, day, counts, areas, lesson_ids, *silent in shares_:  # older state has no `silent`
            tally = get(name, effect.project, effect.host)
            share = agent_tallies.Contribution(
                name, day, tuple(counts), tuple(areas), tuple(lesson_ids), any(silent)
            )
            agent_tallies.count_contribution(tally, share, sign)
            tally["last_updated"] = max(tally["last_updated"], effect.started)
            put(tally)
