"""Backtest: at which recorded calls and prompts a lesson's triggers would have fired. Pure.

Every score comes from `wire.relevance.score`. It depends on a call's situation and on which of the lesson's
keywords its text contains. Each pair of the two is scored once, with these keywords as the text.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from learnloop.models.base import Document
from learnloop.recall import recorded_calls
from learnloop.recall.dead_triggers import Dead, Unseen, piece
from learnloop.recall.recorded_calls import CallBatch, Situation
from learnloop.wire import globs, relevance

SHOWN = 10
_MOST_SESSIONS = 50
_APART = " qzxjv "
"""Between keywords: a word that no text contains, so that two keywords never make a third one."""

_SITUATION = ("moment", "tool", "file", "command", "project", "cwd", "agent")

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


def run(
    lesson: Record, batches: Iterable[CallBatch], corrections: Iterable[tuple[str, str]] = (),
    stopped: Callable[[], bool] = lambda: False,
) -> Backtest | None:  # fmt: skip
    """Try a lesson (a record of the index) on every batch, oldest first; return None if stopped.

    `corrections` are the session and the time of each correction that the lesson comes from.
    """
    trial, unseen = _Trial(lesson, corrections), Unseen(lesson)
    for batch in batches:
        if stopped():
            return None
        trial.take(batch)
        unseen.take(batch)
    return trial.result().with_(dead=unseen.dead())


class _Trial:
    def __init__(self, lesson: Record, corrections: Iterable[tuple[str, str]]) -> None:
        self._lesson = dict(lesson)
        keywords = (*lesson["action"], *lesson["context"], *lesson["telling"], relevance.LONG)
        self._keywords = tuple(dict.fromkeys(keywords))
        self._scores: dict[tuple[Situation, int], Score] = {}
        self._representatives: dict[Situation, Situation] = {}
        self._first_alike: dict[tuple[object, ...], Situation] = {}
        self._pieces = tuple(map(piece, lesson["commands"]))
        self._carried: dict[str, str] = {}
        self._carried_hits: dict[str, int] = {}
        self._seen: set[int] = set()
        """Hashes of tool_use_ids: a year has a hundred thousand."""
        self._ends: dict[str, list[str]] = {}
        for session_id, end in corrections:
            self._ends.setdefault(session_id, []).append(end)
        self._asked_at: dict[str, list[str]] = {}
        self._shots_at: dict[str, list[str]] = {}
        self._calls: Counter[str] = Counter()
        self._fired: Counter[str] = Counter()
        self._recalls: set[tuple[str, str, str]] = set()
        self._by_session: dict[str, tuple[int, str, str]] = {}
        self._first: list[Shot] = []

    def take(self, batch: CallBatch) -> None:
        hits, seen, fires_by_pair, fired = self._hits(batch), self._seen, dict[tuple[int, int], bool](), []
        is_prompt = [situation[0] == "prompt" for situation in batch.situations]
        hit, calls, prompts = hits.get, 0, 0
        plain: dict[int, Situation] = {}
        for i, (at, own, last, use) in enumerate(
            zip(batch.at, batch.own, batch.prompt, batch.uses, strict=True)
        ):
            if use:
                if (use_hash := hash(use)) in seen:
                    continue
                seen.add(use_hash)
            calls += 1
            prompts += is_prompt[at]
            there = hit(own, 0) | (hit(last, 0) if last >= 0 else self._earlier_hits(batch, i))
            fires = fires_by_pair.get((at, there))
            if fires is None:
                situation = plain.get(at) or plain.setdefault(at, self._plain(batch.situations[at]))
                fires = fires_by_pair[at, there] = bool(self._score(situation, there)["fires"])
            if fires:
                fired.append((i, there))
        self._calls.update(tool=calls - prompts, prompt=prompts)
        self._note(batch, fired)
        self._carried.update(recorded_calls.last_prompts(batch))
        self._carried_hits.clear()

    def _note(self, batch: CallBatch, fired: Sequence[tuple[int, int]]) -> None:
        """Keep the shots of a batch, and when sessions that led to corrections were asked something."""
        if any(session in self._ends for session in batch.sessions):
            is_prompt = [situation[0] == "prompt" for situation in batch.situations]
            self._note_times(self._asked_at, batch, (i for i, at in enumerate(batch.at) if is_prompt[at]))
            self._note_times(self._shots_at, batch, (i for i, _ in fired))
        at, session, agents = batch.at, batch.session, batch.agents
        kinds = [situation[0] for situation in batch.situations]
        recalls = {(session[i], agents[i], kinds[at[i]]) for i, _ in fired}
        self._recalls.update((batch.sessions[number], agent, kind) for number, agent, kind in recalls)
        self._fired.update(kinds[at[i]] for i, _ in fired)
        last = {session[i]: i for i, _ in fired}
        for number, count in Counter(session[i] for i, _ in fired).items():
            name, ts = batch.sessions[number], recorded_calls.ts_of(batch, last[number])
            before, latest, _ = self._by_session.get(name, (0, "", ""))
            project = batch.situations[at[last[number]]][4]
            self._by_session[name] = (before + count, max(latest, ts), project)
        for i, there in fired[: max(SHOWN - len(self._first), 0)]:
            situation = batch.situations[at[i]]
            score = self._score(self._plain(situation), there)
            self._first.append(
                _shot(situation, batch.sessions[session[i]], recorded_calls.ts_of(batch, i), score)
            )

    def _note_times(self, times: dict[str, list[str]], batch: CallBatch, calls: Iterable[int]) -> None:
        """Add the times of those calls that are in sessions that led to corrections."""
        for i in calls:
            session = batch.sessions[batch.session[i]]
            if session in self._ends:
                times.setdefault(session, []).append(recorded_calls.ts_of(batch, i))

    def _hits(self, batch: CallBatch) -> dict[int, int]:
        """Return which keywords each text of a batch contains: a bit for each keyword."""
        bits_by_text: dict[int, int] = {}
        for number, keyword in enumerate(self._keywords):
            for form in relevance.forms(keyword):
                for text in recorded_calls.texts_with(batch, form):
                    bits_by_text[text] = bits_by_text.get(text, 0) | 1 << number
        return bits_by_text

    def _earlier_hits(self, batch: CallBatch, i: int) -> int:
        """Return the keywords in the last prompt that an earlier batch has of a call's session."""
        session = batch.sessions[batch.session[i]]
        text = self._carried.get(session)
        if not text or not self._keywords:
            return 0
        bits = self._carried_hits.get(session)
        if bits is None:
            there = relevance.found(self._keywords, relevance.Moment({"moment": "prompt", "words": text}))
            bits = sum(1 << number for number, word in enumerate(self._keywords) if word in there)
            self._carried_hits[session] = bits
        return bits

    def _score(self, situation: Situation, there: int) -> Score:
        score = self._scores.get((situation, there))
        if score is None:
            words = _APART.join(word for number, word in enumerate(self._keywords) if there >> number & 1)
            moment = dict(zip(_SITUATION, situation, strict=True))
            score = relevance.score(self._lesson, {**moment, "text": relevance.keyword_text(words)})
            self._scores[situation, there] = score
        return score

    def _plain(self, situation: Situation) -> Situation:
        """Return the situation with nothing in it but what this lesson's score depends on.

        Of a file or command that is only whether a pattern matches it. The first one that is alike
        represents the others, so that few of them are scored.
        """
        moment, tool, file, command, project, cwd, agent = situation
        lesson = self._lesson
        if file and "stake" in lesson and relevance.at_stake(lesson, _aim(situation).file):
            return (moment, tool, file, command, project, cwd, agent)
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
        representative = self._representatives.get(bare)
        if representative is None:
            _, on_target = relevance.target(lesson, _aim(bare))
            alike = (moment, tool, bool(file), bool(command), project, bare[6], on_target)
            representative = self._representatives[bare] = self._first_alike.setdefault(alike, bare)
        return representative

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


class _Aim(NamedTuple):
    """What `relevance.target` reads of a moment: making only this of 20,000 commands halves the time."""

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


def _shot(situation: Situation, session: str, ts: str, score: Score) -> Shot:
    moment, tool, file, command, project, _, _ = situation
    what = f"{tool} {file or command}".strip() if moment == "tool" else ""
    parts = {name: value for name, value in score.items() if name != "fires"}
    return Shot(ts=ts, session_id=session, project=project, moment=moment, what=what, **parts)
