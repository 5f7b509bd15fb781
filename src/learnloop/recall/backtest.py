"""Backtest: at which recorded calls and prompts a lesson's triggers would have fired. Pure.

Every score comes from `wire.relevance.score`. It depends on a call's situation and on which of the lesson's
keywords its text contains. Each pair of the two is scored once, with these keywords as the text.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from learnloop.models.base import Document
from learnloop.wire import relevance

_TEXT = 20_480
_AFTER_THE_CALL = ("tool_end", "tool_failed", "refusal")
"""A call is taken from these where no `tool_start` came: transcripts, and clients without that hook."""
SHOWN = 10
_MOST_SESSIONS = 50
_APART = " qzxjv "
"""Between keywords: a word that no text contains, so that two keywords never make a third one."""

_SITUATION = ("moment", "tool", "file", "command", "project", "cwd", "agent")

Record = Mapping[str, Any]
Score = Mapping[str, Any]


class Asked(NamedTuple):
    """A recorded call or prompt at which recall is asked."""

    situation: tuple[str, ...]
    """Moment (`tool` or `prompt`), tool, file, command, project, cwd, agent."""
    text: str
    """What keywords are looked for in."""
    session: str
    ts: str
    agent_id: str
    use: str
    """Its tool_use_id: a call that hooks and a transcript both report counts once."""
    goes_on: bool = False
    """A prompt that says no more than to go on."""


class Shot(Document):
    """One moment at which the lesson would have fired, with the parts of its score in hundredths."""

    ts: str
    session_id: str
    project: str
    moment: str
    what: str
    """The tool with its file or command; empty at a prompt."""
    tool: int
    target: int
    action: int
    context: int
    base: int
    multiplier: int
    final: int
    threshold: int
    why: str


class SessionCount(Document):
    """How often in one session."""

    session_id: str
    project: str
    fired: int
    last: str


class Backtest(Document):
    """What a lesson's triggers would have done at the newest 20,000 recorded calls and prompts."""

    lesson_id: str = ""
    calls: int = 0
    """Recorded calls of tools that recall is asked at."""
    prompts: int = 0
    """Recorded prompts that a person typed."""
    fired: int = 0
    at_calls: int = 0
    at_prompts: int = 0
    told: int = 0
    """Times an agent would have been told: once for an agent, session and kind of moment."""
    session_count: int = 0
    sessions: tuple[SessionCount, ...] = ()
    """Those with the most, at most 50."""
    first: tuple[Shot, ...] = ()
    """The first ten."""
    led: int = 0
    """Turns that led to the correction, of those that are still recorded."""
    led_fired: int = 0
    """Those of them in which it would have fired."""


def run(
    lesson: Record, recorded: Iterable[Asked], corrections: Iterable[tuple[str, str]] = (),
    stopped: Callable[[], bool] = lambda: False,
) -> Backtest | None:  # fmt: skip
    """Try a lesson (a record of the index) on what is recorded, oldest first; return None if stopped.

    `corrections` are the session and the time of each correction that the lesson comes from.
    """
    trial = _Trial(lesson, corrections)
    for count, asked in enumerate(recorded):
        if count % 500 == 0 and stopped():
            return None
        trial.take(asked)
    return None if stopped() else trial.result()


def compact(events: Iterable[Mapping[str, Any]]) -> list[Asked]:
    """The calls and prompts of events at which recall is asked, in their order."""
    every: list[Asked] = []
    uses: set[str] = set()
    for event in events:
        kind, payload, use = event["kind"], event["payload"], event.get("tool_use_id") or ""
        if kind == "prompt" and (words := payload.get("prompt")) and not payload.get("machine"):
            text = relevance.request(str(words)[:_TEXT])
            every.append(_asked(event, ("prompt", "", "", ""), text, relevance.goes_on(str(words))))
        elif payload.get("tool") in relevance.ASKED_TOOLS and (
            kind == "tool_start" or (kind in _AFTER_THE_CALL and not (use and use in uses))
        ):
            file, command = str(payload.get("file") or ""), str(payload.get("command") or "")
            words = f"{file}\n{command}\n{payload.get('text') or ''}"
            every.append(
                _asked(event, ("tool", payload["tool"], file, command), relevance.keyword_text(words[:_TEXT]))
            )
            uses.add(use)
    return every


def _asked(event: Mapping[str, Any], what: tuple[str, ...], text: str, goes_on: bool = False) -> Asked:
    where = (event.get("project") or "", event.get("cwd") or "", event.get("agent_type") or "main")
    ids = (event["session_id"], event["ts"], event.get("agent_id") or "", event.get("tool_use_id") or "")
    return Asked((*what, *where), text, *ids, goes_on)


class _Trial:
    def __init__(self, lesson: Record, corrections: Iterable[tuple[str, str]]) -> None:
        self._lesson = dict(lesson)
        keywords = (*lesson["action"], *lesson["context"], *lesson["telling"], relevance.LONG)
        self._needles = {word: [f" {form} " for form in relevance.forms(word)] for word in keywords}
        self._scores: dict[tuple[object, ...], Score] = {}
        self._prompts: dict[str, frozenset[str]] = {}
        """The keywords of each session's last prompt."""
        self._seen: set[str] = set()
        self._ends: dict[str, list[str]] = {}
        for session_id, end in corrections:
            self._ends.setdefault(session_id, []).append(end)
        self._asked_at: dict[str, list[str]] = {name: [] for name in self._ends}
        self._shots_at: dict[str, list[str]] = {name: [] for name in self._ends}
        self._calls: Counter[str] = Counter()
        self._fired: Counter[str] = Counter()
        self._recalls: set[tuple[str, str, str]] = set()
        self._by_session: dict[str, tuple[int, str, str]] = {}
        self._first: list[Shot] = []

    def take(self, asked: Asked) -> None:
        if asked.use and asked.use in self._seen:
            return
        self._seen.add(asked.use)
        moment = asked.situation[0]
        self._calls[moment] += 1
        own = frozenset(
            word for word, forms in self._needles.items() if any(form in asked.text for form in forms)
        )
        if moment == "prompt":
            there = own
            if not asked.goes_on:
                self._prompts[asked.session] = own
            if asked.session in self._ends:
                self._asked_at[asked.session].append(asked.ts)
        else:
            there = own | self._prompts.get(asked.session, frozenset())
        score = self._score(asked.situation, there)
        if score["fires"]:
            self._note(asked, score)

    def _note(self, asked: Asked, score: Score) -> None:
        moment, session = asked.situation[0], asked.session
        self._recalls.add((session, asked.agent_id, moment))
        self._fired[moment] += 1
        before, latest, _ = self._by_session.get(session, (0, "", ""))
        self._by_session[session] = (before + 1, max(latest, asked.ts), asked.situation[4])
        if session in self._ends:
            self._shots_at[session].append(asked.ts)
        if len(self._first) < SHOWN:
            self._first.append(_shot(asked, score))

    def _score(self, situation: tuple[str, ...], there: frozenset[str]) -> Score:
        score = self._scores.get((situation, there))
        if score is None:
            words = relevance.keyword_text(_APART.join(sorted(there)))
            moment = dict(zip(_SITUATION, situation, strict=True))
            score = self._scores[situation, there] = relevance.score(self._lesson, {**moment, "text": words})
        return score

    def result(self) -> Backtest:
        ordered = sorted(self._by_session.items(), key=lambda pair: (-pair[1][0], pair[1][1], pair[0]))
        led, led_fired = self._led()
        return Backtest(
            lesson_id=str(self._lesson["id"]),
            calls=self._calls["tool"],
            prompts=self._calls["prompt"],
            fired=self._fired.total(),
            at_calls=self._fired["tool"],
            at_prompts=self._fired["prompt"],
            told=len(self._recalls),
            session_count=len(ordered),
            sessions=tuple(
                SessionCount(session_id=name, project=project, fired=count, last=last)
                for name, (count, last, project) in ordered[:_MOST_SESSIONS]
            ),
            first=tuple(self._first),
            led=led,
            led_fired=led_fired,
        )

    def _led(self) -> tuple[int, int]:
        """Return how many turns that led to corrections are recorded, and in how many it would have fired."""
        led = fired = 0
        for session, ends in self._ends.items():
            asked, shots = sorted(self._asked_at.get(session, ())), sorted(self._shots_at.get(session, ()))
            for end in ends:
                before = bisect_left(asked, end)
                if before:
                    led += 1
                    first = bisect_left(shots, asked[before - 1])
                    fired += first < len(shots) and shots[first] < end
        return led, fired


def _shot(asked: Asked, score: Score) -> Shot:
    moment, tool, file, command, project, _, _ = asked.situation
    what = f"{tool} {file or command}".strip() if moment == "tool" else ""
    parts = {name: value for name, value in score.items() if name != "fires"}
    return Shot(ts=asked.ts, session_id=asked.session, project=project, moment=moment, what=what, **parts)
