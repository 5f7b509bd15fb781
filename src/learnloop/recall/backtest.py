"""Backtest: at which recorded calls and prompts a lesson's triggers would have fired. Pure.

Every score comes from `wire.relevance.score`. It depends on a call's situation and on which of the lesson's
keywords stand in its text; so each pair of the two is scored once, with these keywords for the text.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from learnloop.models.base import Document
from learnloop.recall import recorded_calls
from learnloop.recall.dead_triggers import Dead, Unseen, piece
from learnloop.recall.recorded_calls import Page, Situation
from learnloop.wire import globs, relevance

SHOWN = 10
_MOST_SESSIONS = 50
_APART = " qzxjv "
"""Between keywords: a word that no text holds, so that two keywords never make a third one."""

Record = Mapping[str, Any]
Score = Mapping[str, Any]


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
    dead: tuple[Dead, ...] = ()
    repository: str = ""
    """Why files of the repository were not looked at; empty where they were, or no trigger names any."""


class Window(NamedTuple):
    """A turn that led to a correction: what happened in the session between prompt and correction."""

    session_id: str
    end: str


def run(
    lesson: Record, pages: Iterable[Page], windows: Sequence[Window] = (),
    stopped: Callable[[], bool] = lambda: False,
) -> Backtest | None:  # fmt: skip
    """Try a lesson (a record as the index holds it) on every page, oldest first; None where stopped."""
    trial, left = _Trial(lesson, windows), Unseen(lesson)
    for page in pages:
        if stopped():
            return None
        trial.take(page)
        left.take(page)
    return trial.result().with_(dead=left.found())


class _Trial:
    """One lesson's way through the pages."""

    def __init__(self, lesson: Record, windows: Sequence[Window]) -> None:
        self._lesson = dict(lesson)
        self._keywords = tuple(dict.fromkeys((*lesson["action"], *lesson["context"], *lesson["keywords"])))
        self._scores: dict[tuple[Situation, int], Score] = {}
        self._like: dict[Situation, Situation] = {}
        self._stands_for: dict[tuple[object, ...], Situation] = {}
        self._pieces = tuple(map(piece, lesson["commands"]))
        self._carried: dict[str, str] = {}
        self._carried_hits: dict[str, int] = {}
        self._seen: set[int] = set()
        """Hashes of tool_use_ids: a year has a hundred thousand."""
        self._ends: dict[str, list[str]] = {}
        for window in windows:
            self._ends.setdefault(window.session_id, []).append(window.end)
        self._asked_at: dict[str, list[str]] = {}
        self._shots_at: dict[str, list[str]] = {}
        self._kinds = {"tool": 0, "prompt": 0}
        self._fired = {"tool": 0, "prompt": 0}
        self._told: set[tuple[str, str, str]] = set()
        self._by_session: dict[str, tuple[int, str, str]] = {}
        self._first: list[Shot] = []

    def take(self, page: Page) -> None:
        """Score every call of a page."""
        hits, seen, known, fired = self._hits(page), self._seen, dict[tuple[int, int], bool](), []
        is_prompt = [situation[0] == "prompt" for situation in page.situations]
        hit, calls, prompts = hits.get, 0, 0
        plain: dict[int, Situation] = {}
        for i, (at, own, last, use) in enumerate(zip(page.at, page.own, page.prompt, page.uses, strict=True)):
            if use:
                if (told := hash(use)) in seen:
                    continue
                seen.add(told)
            calls += 1
            prompts += is_prompt[at]
            there = hit(own, 0) | (hit(last, 0) if last >= 0 else self._before(page, i))
            fires = known.get((at, there))
            if fires is None:
                situation = plain.get(at) or plain.setdefault(at, self._plain(page.situations[at]))
                fires = known[at, there] = bool(self._score(situation, there)["fires"])
            if fires:
                fired.append((i, there))
        self._kinds["tool"] += calls - prompts
        self._kinds["prompt"] += prompts
        self._note(page, fired)
        self._carried.update(recorded_calls.last_prompts(page))
        self._carried_hits.clear()

    def _note(self, page: Page, fired: Sequence[tuple[int, int]]) -> None:
        """Keep what a page has of shots, and when sessions that led to corrections were asked something."""
        if any(session in self._ends for session in page.sessions):
            self._note_turns(page, [i for i, _ in fired])
        at, session, agents = page.at, page.session, page.agents
        kinds = [situation[0] for situation in page.situations]
        told = {(session[i], agents[i], kinds[at[i]]) for i, _ in fired}
        self._told.update((page.sessions[number], agent, kind) for number, agent, kind in told)
        prompts = sum(kinds[at[i]] == "prompt" for i, _ in fired)
        self._fired["prompt"] += prompts
        self._fired["tool"] += len(fired) - prompts
        last = {session[i]: i for i, _ in fired}
        for number, count in Counter(session[i] for i, _ in fired).items():
            name, ts = page.sessions[number], recorded_calls.ts_of(page, last[number])
            before, latest, _ = self._by_session.get(name, (0, "", ""))
            project = page.situations[at[last[number]]][4]
            self._by_session[name] = (before + count, max(latest, ts), project)
        for i, there in fired[: max(SHOWN - len(self._first), 0)]:
            situation = page.situations[at[i]]
            score = self._score(self._plain(situation), there)
            self._first.append(
                _shot(situation, page.sessions[session[i]], recorded_calls.ts_of(page, i), score)
            )

    def _note_turns(self, page: Page, fired: Sequence[int]) -> None:
        """The prompts and the shots of sessions that led to corrections."""
        for i, at in enumerate(page.at):
            session = page.sessions[page.session[i]]
            if session in self._ends and page.situations[at][0] == "prompt":
                self._asked_at.setdefault(session, []).append(recorded_calls.ts_of(page, i))
        for i in fired:
            session = page.sessions[page.session[i]]
            if session in self._ends:
                self._shots_at.setdefault(session, []).append(recorded_calls.ts_of(page, i))

    def _hits(self, page: Page) -> dict[int, int]:
        """Which keywords stand in which texts of a page: a bit for each keyword."""
        found: dict[int, int] = {}
        for number, keyword in enumerate(self._keywords):
            bit = 1 << number
            for form in relevance.forms(keyword):
                for text in recorded_calls.standing(page, form):
                    found[text] = found.get(text, 0) | bit
        return found

    def _before(self, page: Page, i: int) -> int:
        """The keywords in the last prompt that an earlier page has of a call's session."""
        session = page.sessions[page.session[i]]
        text = self._carried.get(session)
        if not text or not self._keywords:
            return 0
        known = self._carried_hits.get(session)
        if known is None:
            seen = relevance.Moment({"moment": "prompt", "words": text})
            there = relevance.found(self._keywords, seen)
            known = sum(1 << number for number, word in enumerate(self._keywords) if word in there)
            self._carried_hits[session] = known
        return known

    def _score(self, situation: Situation, there: int) -> Score:
        score = self._scores.get((situation, there))
        if score is None:
            words = _APART.join(word for number, word in enumerate(self._keywords) if there >> number & 1)
            score = relevance.score(self._lesson, {**_moment(situation), "words": words})
            self._scores[situation, there] = score
        return score

    def _plain(self, situation: Situation) -> Situation:
        """The situation with nothing in it but what this lesson's score depends on.

        Of a file or command it is only whether a pattern matches it: the first that was like it stands for
        it, so that few of them are scored.
        """
        moment, tool, file, command, project, cwd, agent = situation
        lesson = self._lesson
        if file and not (lesson["files"] or lesson["path"]):
            file = ""
        if command and not any(piece in command for piece in self._pieces):
            command = ""
        if not lesson["path"] and not (file and not file.startswith("/")):
            cwd = ""
        if not (lesson["project"] or lesson["files"] or lesson["path"]):
            project = ""
        bare = (moment, tool, file, command, project, cwd, agent if lesson["agents"] else "main")
        if lesson["path"] or not (file or command):
            return bare
        known = self._like.get(bare)
        if known is None:
            _, on_target = relevance.target(lesson, _aim(bare))
            alike = (moment, tool, bool(file), bool(command), project, bare[6], on_target)
            known = self._like[bare] = self._stands_for.setdefault(alike, bare)
        return known

    def result(self) -> Backtest:
        """What came of it."""
        ordered = sorted(self._by_session.items(), key=lambda pair: (-pair[1][0], pair[1][1], pair[0]))
        led, led_fired = self._led()
        return Backtest(
            lesson_id=str(self._lesson["id"]),
            calls=self._kinds["tool"],
            prompts=self._kinds["prompt"],
            fired=sum(self._fired.values()),
            at_calls=self._fired["tool"],
            at_prompts=self._fired["prompt"],
            told=len(self._told),
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
        """The turns that led to corrections: how many are recorded, and in how many it would have fired."""
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


class _Aim(NamedTuple):
    """What `relevance.target` looks at of a moment: making no more of 20,000 commands halves the time."""

    tool: str
    file: Any
    command: str
    commands: list[str]


def _aim(situation: Situation) -> relevance.Moment:
    _, tool, file, command, project, cwd, _ = situation
    bases = tuple(base for base in (project, cwd) if base)
    where = globs.spot(file, bases) if file else None
    commands = globs.simple_commands(command)[: relevance.COMMANDS] if command else []
    return cast("relevance.Moment", _Aim(tool, where, command, commands))


def _moment(situation: Situation) -> dict[str, str]:
    names = ("moment", "tool", "file", "command", "project", "cwd", "agent")
    return dict(zip(names, situation, strict=True))


def _shot(situation: Situation, session: str, ts: str, score: Score) -> Shot:
    moment, tool, file, command, project, _, _ = situation
    what = f"{tool} {file or command}".strip() if moment == "tool" else ""
    parts = {name: score[name] for name in _PARTS}
    return Shot(ts=ts, session_id=session, project=project, moment=moment, what=what, **parts)


_PARTS = ("tool", "target", "action", "context", "base", "multiplier", "final", "threshold", "why")
