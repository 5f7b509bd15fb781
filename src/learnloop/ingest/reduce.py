"""Events to effects: deterministic, without I/O; all it remembers is the state it is given."""

from collections.abc import Callable, Iterable
from typing import Any

from learnloop.ingest import (
    agent_blocks,
    agents,
    followup,
    natural_keys,
    preferences,
    prompt_feedback,
    session_views,
    turn_outcome,
    turns,
)
from learnloop.ingest.effects import Decided, Effect, Heard, Left, Measured, Put, Recalled
from learnloop.learn.feedback import outcomes
from learnloop.learn.sessions.latency import BOUNDS_MS, bucket
from learnloop.wire import clock

Doc = dict[str, Any]

_RECENT = 10
_RECENT_CHARS = 500
_GAP_MS = 30 * 60 * 1000
_MOST_TASKS = 50
_MOST_AGENTS = 50
_MOST_LEFT = 3
_MOST_WAITING = 10


def reduce(state: Doc, events: Iterable[Doc]) -> list[Effect]:
    """The effects of events in their order; `state` (`views.fresh()` at first) is brought up to date."""
    run = _Run(state)
    for event in events:
        run.take(event)
    return run.finish()


class _Run:
    """One pass over events."""

    def __init__(self, state: Doc) -> None:
        self.state = state
        self.views = session_views.Views(state)
        self.effects: list[Effect] = []
        self.measured: dict[str, Measured] = {}
        self.late: dict[str, Doc] = {}
        """Turns that had been left when something more of them came."""

    def take(self, event: Doc) -> None:
        """Take one event in."""
        kind = event["kind"]
        self._measure(event, kind)
        if kind == "decision":
            self.effects.append(Decided(event))
            return
        if kind == "discovery":
            self.effects.append(agent_blocks.discovery(event))
            return
        handle = _HANDLERS.get(kind)
        if handle is None or not event["session_id"]:
            return
        view = self.views.of(event)
        if natural_keys.is_copy(view, event):
            return
        self._see(view, event, kind)
        handle(self, view, _at_home(view, event))
        self.effects += agent_blocks.of_event(view, _at_home(view, event))

    def finish(self) -> list[Effect]:
        """All effects; what is still running is stored as it is now."""
        for view in self.views.touched.values():
            self._store(view)
        for turn in self.late.values():
            self.put_turn(turn)
        self.effects += [Put(shard, doc["id"], doc) for shard, doc in self.views.close()]
        self.effects += self.measured.values()
        return self.effects

    def _see(self, view: Doc, event: Doc, kind: str) -> None:
        session = view["session"]
        ts = event["ts"]
        session["last_seen"] = max(ts, session["last_seen"])
        session["counts"][kind] = session["counts"].get(kind, 0) + 1
        if not session["project"] and event.get("project"):
            session["project"] = event["project"]
        if not session["transcript_path"] and event.get("transcript_path"):
            session["transcript_path"] = event["transcript_path"]
        branch = event["payload"].get("branch")
        if branch and isinstance(branch, str):
            session["branch"] = branch

    def _store(self, view: Doc) -> None:
        session = view["session"]
        if view["shard"]:
            prompts, counts = list(session["recent_prompts"]), dict(session["counts"])
            doc = {**session, "recent_prompts": prompts, "counts": counts}
            self.effects.append(Put(view["shard"], session["id"], doc))
        self.put_turn(view["turn"])

    def put_turn(self, turn: Doc | None) -> None:
        """Store a turn as it is now."""
        if turn is not None:
            self.effects.append(Put(turn["_shard"], turn["id"], turns.document(turn)))
            tallied = agents.tallied(turn)
            if tallied is not None:
                self.effects.append(tallied)
            over = followup.judged(turn)
            if over is not None:
                self.effects.append(over)

    def _measure(self, event: Doc, kind: str) -> None:
        if event.get("source") == "transcript":
            return
        day = event["ts"][:10]
        found = self.measured.get(day)
        if found is None:
            found = self.measured[day] = Measured(day)
        found.kinds[kind] = found.kinds.get(kind, 0) + 1
        if kind == "decision":
            return
        found.last = max(found.last, event["ts"])
        if kind == "hook_error":
            name = str(event["payload"].get("event") or "unknown")
            found.errors[name] = found.errors.get(name, 0) + 1
        took = event.get("hook_ms")
        if isinstance(took, int | float):
            buckets = found.latencies.setdefault(kind, [0] * (len(BOUNDS_MS) + 1))
            buckets[bucket(took)] += 1

    def turn_of(self, view: Doc, event: Doc) -> Doc:
        """The turn that an event belongs to; one without words where the prompt was never seen."""
        if view["turn"] is None:
            view["turn"] = self._begin(view, event, "", "human")
        turn: Doc = view["turn"]
        earlier = _left_turn(view, event) if event.get("prompt_id") != turn["prompt_id"] else None
        if earlier is None:
            return turn
        self.late[earlier["id"]] = earlier
        return earlier

    def _begin(self, view: Doc, event: Doc, prompt: str, origin: str) -> Doc:
        turn = turns.begin(event, session_views.shard(self.state, "turns", event["ts"]), prompt, origin)
        turns.recalled(turn, view["told"])
        turn["_heard"] = view.get("heard", [])
        view["told"] = []
        return turn

    def _replace(self, view: Doc, turn: Doc) -> None:
        """Another turn begins: the one before is closed and leaves the state."""
        before = view["turn"]
        if before is not None:
            turns.close(before, session_ended=False)
            self.put_turn(before)
            if (before["end"] in ("unfinished", "interrupted") or before["background"]) and before[
                "prompt_id"
            ]:
                view["left"] = [*view.get("left", ()), before][-_MOST_LEFT:]
                self._ask_why(view, before)
        view["turn"] = turn

    def _ask_why(self, view: Doc, turn: Doc) -> None:
        """A turn that hooks saw without an end: where its transcript may say more."""
        session = view["session"]
        if turn["end"] == "unfinished" and session["transcript_path"] and not view["read"]:
            self.effects.append(
                Left(
                    session["host"], session["id"], turn["prompt_id"], session["transcript_path"],
                    session["cwd"], session["project"],
                )
            )  # fmt: skip

    def prompt(self, view: Doc, event: Doc) -> None:
        """A prompt: steering, a machine's news, or a new turn that may judge the one before it."""
        words, machine = event["payload"].get("prompt", ""), event["payload"].get("machine")
        turn = view["turn"]
        running = turn is not None and not turn.get("ended")
        prompt_id = event.get("prompt_id")
        if running and prompt_id and prompt_id == turn["prompt_id"]:
            if not machine:
                turns.steer(turn, words)
                self._hear(view, event, words, steering=True)
            return
        if machine:
            self._machine_turn(view, event, words, machine == "task-notification")
            return
        if turn is not None:
            turns.close(turn, session_ended=False)
        heard = self._hear(view, event, words, steering=False)
        turn = self._begin(view, event, words, "human")
        if heard is not None and heard.doc["feedback_category"] == "praise":
            turn["_no_task"] = True
        self._replace(view, turn)
        self._asked(view, event, words)

    def _machine_turn(self, view: Doc, event: Doc, words: str, news: bool) -> None:
        led = (_waiting(view, words) or turns.led(view["turn"])) if news else {}
        turn = self._begin(view, event, words, "machine")
        turn.update(_led=led, _open=led.get("open", 0))
        self._replace(view, turn)

    def _asked(self, view: Doc, event: Doc, words: str) -> None:
        session = view["session"]
        recent = session["recent_prompts"]
        if recent and clock.parse_ms(event["ts"]) - view.get("asked", 0) > _GAP_MS:
            recent.clear()
        session["recent_prompts"] = [*recent, words[:_RECENT_CHARS]][-_RECENT:]
        session.pop("pending_completion", None)
        session.pop("ended", None)
        view["prompts"] += 1
        view["asked"] = clock.parse_ms(event["ts"])

    def _hear(self, view: Doc, event: Doc, words: str, *, steering: bool) -> Heard | None:
        words = agent_blocks.without_blocks(words)
        self.effects += preferences.signalled(event, words)
        heard = prompt_feedback.prompt(view, event, words, self._feedback_shard, steering=steering)
        if (heard is not None and heard.doc["event_type"] != "explicit_preference") or outcomes.is_go_ahead(
            words
        ):
            self._withdraw(view["turn"])
        if heard is None and not steering:
            heard = turn_outcome.of_prompt(view, event, words, self._feedback_shard)
        if heard is not None:
            self._keep(heard, event)
        return heard

    def _withdraw(self, turn: Doc | None) -> None:
        """Take back what was concluded of a turn."""
        withdrawn = turn_outcome.withdraw(turn)
        if withdrawn is not None:
            self.effects.append(withdrawn)

    def _keep(self, heard: Heard, event: Doc) -> None:
        """Feedback, and what it says of an agent."""
        self.effects.append(heard)
        remarked = agents.remarked(heard.doc, event["host"])
        if remarked is not None:
            self.effects.append(remarked)

    def _feedback_shard(self, ts: str) -> str:
        return session_views.shard(self.state, "feedback", ts)

    def tool_end(self, view: Doc, event: Doc) -> None:
        """A tool call that went through; some tell how far the agent's own list is."""
        turn = self.turn_of(view, event)
        turns.tool_end(turn, event)
        todos, task = event["payload"].get("todos"), event["payload"].get("task")
        if isinstance(task, dict) and isinstance(task.get("id"), str):
            tasks = view.setdefault("tasks", {})
            tasks[task["id"]] = task.get("status")
            todos = _counted(tasks)
        if isinstance(todos, dict) and todos.keys() >= {"total", "completed", "pending"}:
            view["session"]["todo_snapshot"] = {
                name: todos[name] for name in ("total", "completed", "pending")
            }
            turns.todos(turn, todos)

    def tool_failed(self, view: Doc, event: Doc) -> None:
        """A tool call that failed."""
        turns.tool_failed(self.turn_of(view, event), event)

    def refusal(self, view: Doc, event: Doc) -> None:
        """A tool call that the person refused: judged on the turn it stands in."""
        turns.refused(self.turn_of(view, event), event)
        self.effects += preferences.signalled(event, event["payload"].get("words", ""))
        heard = prompt_feedback.refusal(view, event, self._feedback_shard)
        if heard is not None:
            self._keep(heard, event)

    def subagent(self, view: Doc, event: Doc) -> None:
        """A subagent that started or ended."""
        turns.subagent(self.turn_of(view, event), event, is_new=_is_new_agent(view, event))

    def turn_end(self, view: Doc, event: Doc) -> None:
        """The agent ended its turn; with background tasks the claim waits for theirs."""
        turn = self.turn_of(view, event)
        self._withdraw(turn)
        turns.done(turn, event)
        _await(view, turn, event)
        if not turn["background"] and turn is view["turn"]:
            view["session"]["pending_completion"] = {
                "claimed_at": event["ts"], "task_description": turns.task(turn)[:500],
                "agent_used": turn["agent_used"], "claim": turn["claim"][:500],
            }  # fmt: skip

    def turn_failed(self, view: Doc, event: Doc) -> None:
        """The turn ended in an error."""
        turns.failed(self.turn_of(view, event), event)

    def notice(self, view: Doc, event: Doc) -> None:
        """A notice; the one that transcripts make of an interruption ends the turn."""
        if event["payload"].get("type") != "interrupted" or view["turn"] is None:
            return
        turn, prompt_id = self.turn_of(view, event), event.get("prompt_id")
        if not prompt_id or prompt_id == turn["prompt_id"] or not turn["prompt_id"]:
            turns.interrupted(turn, event["ts"])

    def session_start(self, view: Doc, _event: Doc) -> None:
        """A client started on the session, perhaps not for the first time."""
        view["session"].pop("ended", None)

    def session_end(self, view: Doc, event: Doc) -> None:
        """The client left: a turn without an end was interrupted."""
        view["session"]["ended"] = event["ts"]
        if view["turn"] is not None:
            turns.close(view["turn"], session_ended=True)
            heard = turn_outcome.of_session_end(view, event, self._feedback_shard)
            if heard is not None:
                self._keep(heard, event)

    def recall(self, view: Doc, event: Doc) -> None:
        """Lessons were told: to the running turn, at the start to the first."""
        lessons = event["payload"].get("lessons")
        ids = (
            [item["id"] for item in lessons if isinstance(item, dict) and isinstance(item.get("id"), str)]
            if isinstance(lessons, list)
            else []
        )
        self.effects += [Recalled(lesson_id, event["ts"], event["session_id"]) for lesson_id in ids]
        view["heard"] = list(dict.fromkeys([*view.get("heard", ()), *ids]))[-followup.MOST_TOLD :]
        if view["turn"] is not None:
            view["turn"]["_heard"] = view["heard"]
        turn = view["turn"]
        if (
            event["payload"].get("moment") == "start"
            or turn is None
            or (turn.get("ended") and event["payload"].get("moment") == "prompt")
        ):
            view["told"] = [*view["told"], *ids][-30:]
        else:
            turns.recalled(turn, ids)

    def nothing(self, view: Doc, _event: Doc) -> None:
        """Counted in the session, no more."""


def _left_turn(view: Doc, event: Doc) -> Doc | None:
    """The turn that an event belongs to, of those that were left without an end."""
    prompt_id = event.get("prompt_id")
    return next((turn for turn in view.get("left", ()) if prompt_id and turn["prompt_id"] == prompt_id), None)


def _await(view: Doc, turn: Doc, event: Doc) -> None:
    """Remember what background tasks were started for, until their news come."""
    tasks = event["payload"].get("background")
    ids = [task.get("id") for task in tasks if isinstance(task, dict)] if isinstance(tasks, list) else []
    waiting = view.setdefault("waiting", {})
    for task_id in filter(None, ids):
        waiting.setdefault(str(task_id), {"turn": turn["id"], **turns.led(turn)})
    while len(waiting) > _MOST_WAITING:
        del waiting[next(iter(waiting))]


def _waiting(view: Doc, words: str) -> Doc | None:
    """What the tasks that a notification tells of were started for."""
    found = [view.get("waiting", {}).pop(task, None) for task in turn_outcome.named_tasks(words)]
    led = next(filter(None, found), None)
    if led is None:
        return None
    known = [turn for turn in (view["turn"], *view.get("left", ())) if turn and turn["id"] == led["turn"]]
    return turns.led(known[0]) if known else led


def _is_new_agent(view: Doc, event: Doc) -> bool:
    """Whether a subagent is seen for the first time; one without an id counts by its start."""
    agent_id = event.get("agent_id")
    if not agent_id:
        return bool(event["kind"] == "subagent_start")
    known = view.setdefault("subagents", [])
    if agent_id in known:
        return False
    view["subagents"] = [*known, agent_id][-_MOST_AGENTS:]
    return True


def _at_home(view: Doc, event: Doc) -> Doc:
    """The event in the project that its session began in, wherever the agent has gone since."""
    project = view["session"]["project"]
    return event if event.get("project", "") == project else {**event, "project": project}


def _counted(tasks: Doc) -> Doc:
    """How far a list of tasks is that was told one by one."""
    for gone in [name for name, status in tasks.items() if status == "deleted"]:
        del tasks[gone]
    while len(tasks) > _MOST_TASKS:
        del tasks[next(iter(tasks))]
    done = list(tasks.values()).count("completed")
    return {"total": len(tasks), "completed": done, "pending": len(tasks) - done}


_HANDLERS: dict[str, Callable[[_Run, Doc, Doc], None]] = {
    "session_start": _Run.session_start, "prompt": _Run.prompt, "tool_start": _Run.nothing,
    "tool_end": _Run.tool_end,
    "tool_failed": _Run.tool_failed, "refusal": _Run.refusal, "subagent_start": _Run.subagent,
    "subagent_end": _Run.subagent, "turn_end": _Run.turn_end, "turn_failed": _Run.turn_failed,
    "notice": _Run.notice,
    "compact": _Run.nothing, "session_end": _Run.session_end, "recall": _Run.recall,
}  # fmt: skip
