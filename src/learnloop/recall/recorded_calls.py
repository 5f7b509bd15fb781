"""Recorded calls and prompts, compacted so that a trigger can be tried on all of them. Pure.

A batch contains the calls of one segment: a table of situations (what a score depends on besides keywords), a
table of texts in which keywords are looked for, and a column per field of a call. The texts are one long
string, so that a keyword is looked for in all of them at the speed of `str.find`.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from learnloop.wire import relevance

_TEXT = 20_480
_TS = 24
_AFTER_THE_CALL = ("tool_end", "tool_failed", "refusal")
"""A call is taken from these where no `tool_start` came: transcripts, and clients without that hook."""

Situation = tuple[str, str, str, str, str, str, str]
"""Moment (`tool` or `prompt`), tool, file, command, project, cwd, agent."""


class CallBatch(NamedTuple):
    """The calls and prompts of one segment, in order."""

    situations: list[Situation]
    texts: str
    """All texts, one after the other; each begins and ends with a space."""
    begins: Sequence[int]
    """Where each text begins, and where the last one ends."""
    at: Sequence[int]
    """The situation of each call."""
    own: Sequence[int]
    """The text of each call, or of the prompt itself."""
    prompt: Sequence[int]
    """The text of the session's last human prompt before each call; -1 if an earlier batch has it."""
    sessions: list[str]
    session: Sequence[int]
    ts: str
    """The time of each call, 24 characters each."""
    agents: list[str]
    """The agent's id for each call, empty for the main one."""
    uses: list[str]
    """The tool_use_id of each call: one that hooks and a transcript both report counts once."""


def compact(events: Iterable[Mapping[str, Any]]) -> CallBatch:
    """Return the calls and prompts of a segment's events."""
    gatherer = _Gatherer()
    for event in events:
        gatherer.take(event)
    return gatherer.batch()


class _Gatherer:
    def __init__(self) -> None:
        self._situations: dict[Situation, int] = {}
        self._texts: dict[str, int] = {}
        self._sessions: dict[str, int] = {}
        self._prompts: dict[str, int] = {}
        self._columns: tuple[list[int], list[int], list[int], list[int]] = ([], [], [], [])
        self._ts: list[str] = []
        self._agents: list[str] = []
        self._uses: list[str] = []
        self._seen_uses: set[str] = {""}

    def take(self, event: Mapping[str, Any]) -> None:
        """Add an event if it is one at which recall is asked."""
        kind, payload = event["kind"], event["payload"]
        if kind == "prompt":
            words = payload.get("prompt")
            if isinstance(words, str) and words and not payload.get("machine"):
                text = self._text(relevance.request(words[:_TEXT]))
                if not relevance.goes_on(words):
                    self._prompts[event["session_id"]] = text
                self._add(event, ("prompt", "", "", ""), text, text)
        elif kind == "tool_start" or (
            kind in _AFTER_THE_CALL and (event.get("tool_use_id") or "") not in self._seen_uses
        ):
            tool = payload.get("tool")
            if tool in relevance.ASKED_TOOLS:
                file, command = str(payload.get("file") or ""), str(payload.get("command") or "")
                words = f"{file}\n{command}\n{payload.get('text') or ''}"
                text = self._text(relevance.keyword_text(words[:_TEXT]))
                last = self._prompts.get(event["session_id"], -1)
                self._add(event, ("tool", tool, file, command), text, last)

    def _add(self, event: Mapping[str, Any], what: tuple[str, str, str, str], own: int, last: int) -> None:
        where = (event.get("project") or "", event.get("cwd") or "", event.get("agent_type") or "main")
        situation = self._situations.setdefault((*what, *where), len(self._situations))
        session = self._sessions.setdefault(event["session_id"], len(self._sessions))
        for column, value in zip(self._columns, (situation, own, last, session), strict=True):
            column.append(value)
        self._ts.append(f"{event['ts']:{_TS}.{_TS}}")
        self._agents.append(event.get("agent_id") or "")
        self._uses.append(event.get("tool_use_id") or "")
        self._seen_uses.add(self._uses[-1])

    def _text(self, text: str) -> int:
        return self._texts.setdefault(text, len(self._texts))

    def batch(self) -> CallBatch:
        """Return what was gathered."""
        begins = array("i", [0, *accumulate(map(len, self._texts))])
        situation, own, last, session = (array("i", column) for column in self._columns)
        return CallBatch(
            list(self._situations), "".join(self._texts), begins, situation, own, last,
            list(self._sessions), session, "".join(self._ts), self._agents, self._uses,
        )  # fmt: skip


def chosen(batch: CallBatch, places: Sequence[int]) -> CallBatch:
    """Return a batch of some of the calls, in their order; tables and texts stay as they are."""
    at, own, prompt, session = (
        array("i", [column[i] for i in places])
        for column in (batch.at, batch.own, batch.prompt, batch.session)
    )
    return batch._replace(
        at=at, own=own, prompt=prompt, session=session, ts="".join(ts_of(batch, i) for i in places),
        agents=[batch.agents[i] for i in places], uses=[batch.uses[i] for i in places],
    )  # fmt: skip


def ts_of(batch: CallBatch, i: int) -> str:
    """Return the time of a call."""
    return batch.ts[i * _TS : (i + 1) * _TS]


def last_prompts(batch: CallBatch) -> dict[str, str]:
    """Return the words of each session's last human prompt that says more than to go on, by session id."""
    return {
        batch.sessions[batch.session[i]]: text
        for i, own in enumerate(batch.own)
        if batch.situations[batch.at[i]][0] == "prompt"
        and not relevance.goes_on(text := batch.texts[batch.begins[own] : batch.begins[own + 1]])
    }


def texts_with(batch: CallBatch, form: str) -> Iterator[int]:
    """Yield the numbers of the texts that contain a form of a keyword as whole words."""
    needle, begins = f" {form} ", batch.begins
    find, length = batch.texts.find, len(needle)
    at, number = find(needle), 0
    while at >= 0:
        number = bisect_right(begins, at, number) - 1
        end = begins[number + 1]
        if at + length <= end:
            yield number
            at = find(needle, end)
        else:  # it begins with the end of this text
            at = find(needle, at + 1)
