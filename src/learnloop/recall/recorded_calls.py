"""Recorded calls and prompts, compacted so that a trigger can be tried on all of them. Pure.

A *page* is made of one segment of events: a table of situations (what a score depends on besides keywords), a
table of texts as keywords are looked for in them, and a column a call for each. Texts stand in one long
string, so that a keyword is looked for in all of them at the speed of `str.find`.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from learnloop.wire import relevance

_TEXT = 20_480
_TS = 24
_EARLIER = -1
"""Where the last prompt of a call's session stands on an earlier page."""
_AFTER_THE_CALL = ("tool_end", "tool_failed", "refusal")
"""What tells of a call where nothing told of it before: transcripts, and clients that ask no hook first."""

Situation = tuple[str, str, str, str, str, str, str]
"""Moment (`tool` or `prompt`), tool, file, command, project, cwd, agent."""


class Page(NamedTuple):
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
    """The text of the session's last human prompt before each call; -1 where an earlier page has it."""
    sessions: list[str]
    session: Sequence[int]
    ts: str
    """The time of each call, 24 characters each."""
    agents: list[str]
    """The agent's id for each call, empty for the main one."""
    uses: list[str]
    """The tool_use_id of each call: what hooks and a transcript both tell counts once."""


def compact(events: Iterable[Mapping[str, Any]]) -> Page:
    """The page of a segment's events."""
    made = _Maker()
    for event in events:
        made.take(event)
    return made.page()


class _Maker:
    """Gathers one page."""

    def __init__(self) -> None:
        self._situations: dict[Situation, int] = {}
        self._texts: dict[str, int] = {}
        self._sessions: dict[str, int] = {}
        self._prompts: dict[str, int] = {}
        self._columns: tuple[list[int], list[int], list[int], list[int]] = ([], [], [], [])
        self._ts: list[str] = []
        self._agents: list[str] = []
        self._uses: list[str] = []
        self._known: set[str] = set()

    def take(self, event: Mapping[str, Any]) -> None:
        """Take an event in, if it is one that recall is asked at."""
        kind, payload = event["kind"], event["payload"]
        if kind == "prompt":
            words = payload.get("prompt")
            if isinstance(words, str) and words and not payload.get("machine"):
                text = self._text(words)
                self._prompts[event["session_id"]] = text
                self._add(event, ("prompt", "", "", ""), text, text)
        elif kind == "tool_start" or (kind in _AFTER_THE_CALL and self._is_new(event)):
            tool = payload.get("tool")
            if tool in relevance.ASKED_TOOLS:
                file, command = str(payload.get("file") or ""), str(payload.get("command") or "")
                text = self._text(f"{file}\n{command}\n{payload.get('text') or ''}")
                last = self._prompts.get(event["session_id"], _EARLIER)
                self._add(event, ("tool", tool, file, command), text, last)

    def _is_new(self, event: Mapping[str, Any]) -> bool:
        use = event.get("tool_use_id")
        return bool(use and use not in self._known)

    def _add(self, event: Mapping[str, Any], what: tuple[str, str, str, str], own: int, last: int) -> None:
        where = (event.get("project") or "", event.get("cwd") or "", event.get("agent_type") or "main")
        situation = self._situations.setdefault((*what, *where), len(self._situations))
        session = self._sessions.setdefault(event["session_id"], len(self._sessions))
        for column, value in zip(self._columns, (situation, own, last, session), strict=True):
            column.append(value)
        self._ts.append(f"{event['ts']:{_TS}.{_TS}}")
        self._agents.append(event.get("agent_id") or "")
        self._uses.append(event.get("tool_use_id") or "")
        self._known.add(self._uses[-1])

    def _text(self, words: str) -> int:
        return self._texts.setdefault(relevance.keyword_text(words[:_TEXT]), len(self._texts))

    def page(self) -> Page:
        """What was gathered."""
        begins, at = [], 0
        for text in self._texts:
            begins.append(at)
            at += len(text)
        situation, own, last, session = (array("i", column) for column in self._columns)
        return Page(
            list(self._situations), "".join(self._texts), array("i", [*begins, at]), situation, own, last,
            list(self._sessions), session, "".join(self._ts), self._agents, self._uses,
        )  # fmt: skip


def ts_of(page: Page, i: int) -> str:
    """The time of a call."""
    return page.ts[i * _TS : (i + 1) * _TS]


def text_of(page: Page, number: int) -> str:
    """One text of a page."""
    return page.texts[page.begins[number] : page.begins[number + 1]]


def last_prompts(page: Page) -> dict[str, str]:
    """The last human prompt of each session on the page, as text."""
    last = {
        page.session[i]: page.own[i] for i, at in enumerate(page.at) if page.situations[at][0] == "prompt"
    }
    return {page.sessions[session]: text_of(page, number) for session, number in last.items()}


def standing(page: Page, form: str) -> Iterator[int]:
    """The numbers of the texts in which a keyword stands as a whole word, in one of its forms."""
    wanted, begins = f" {form} ", page.begins
    find, length = page.texts.find, len(wanted)
    at, number = find(wanted), 0
    while at >= 0:
        number = bisect_right(begins, at, number) - 1
        end = begins[number + 1]
        if at + length <= end:
            yield number
            at = find(wanted, end)
        else:  # it begins with the end of this text
            at = find(wanted, at + 1)
