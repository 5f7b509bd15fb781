"""Events become effects: deterministic, without I/O; the state is the only memory."""

from collections.abc import Callable, Iterable
from itertools import starmap
from typing import Any, cast

from learnloop.hosts import transcript_lines
from learnloop.ingest import (
    agent_blocks,
    agent_calls,
    agents,
    effects,
    interruptions,
    model_verdicts,
    prompt_feedback,
    recalls,
    recent_calls,
    recurring,
    session_views,
    task_traces,
    trial_moments,
    turns,
)
from learnloop.ingest.effects import BOUNDS_MS, Effect, FeedbackHeard, HookStats, bucket
from learnloop.ingest.running import RunningTurn, SessionView
from learnloop.learn.hear import outcomes
from learnloop.learn.tasks import continuations
from learnloop.wire import clock

Doc = dict[str, Any]

_RECENT = 10
_RECENT_CHARS = 500
_GAP_MS = 30 * 60 * 1000
_MOST_LEFT = 3
_MOST_BEFORE = 30
_NOT_OF_HOOKS = ("decision", "facts", "proposal")
_WITHOUT_END = ("unfinished", "interrupted")


def reduce(state: Doc, events: Iterable[Doc], views: session_views.KeptViews, root: str = "") -> list[Effect]:
    """Return the effects of events in their order; updates `state`, at first empty, and the views.

    `root` is the data root, whose files agents have no business with.
    """
    run = _Run(state, views, root)
    for event in events:
        run.take(event)
    return run.finish()


class _Run:
    def __init__(self, state: Doc, views: session_views.KeptViews, root: str) -> None:
        self.state = state
        self.root = root
        self.views = session_views.Views(views)
        self.effects: list[Effect] = []
        self.stats_by_day: dict[str, HookStats] = {}
        self.late: dict[str, RunningTurn] = {}
        """Abandoned turns that a late event belongs to."""

    def take(self, event: Doc) -> None:
        kind = event["kind"]
        self._measure(event, kind)
        if kind == "decision":
            self.effects.append(effects.DecisionMade(event, agent_calls.claim(self.state, event)))
        elif kind in agent_blocks.OFFERING:
            self.effects.append(agent_blocks.offered(event))
        elif kind == "recall" and not event["session_id"]:
            recalls.count(self.stats_by_day, event, is_first=False)
            self.effects += recalls.recalled(event)
        elif kind == "facts":
            self.effects += model_verdicts.read(self.state, self.views.known(event), event, self.late)
        self.effects += starmap(effects.DecisionClaimed, agent_calls.note(self.state, event, self.root))
        if kind not in _HANDLERS or not event["session_id"]:
            return
        view = self.views.of(event)
        if session_views.is_copy(view, event):
            return
        session_views.update(view["session"], event)
        project = view["session"]["project"]
        if event.get("project", "") != project:  # the one that the session began in counts
            event = {**event, "project": project}
        if event["payload"].get("late"):
            self._late(view, event)
            return
        _HANDLERS[kind](self, view, event)
        if kind in task_traces.KINDS:
            self.effects += filter(None, [task_traces.note(self.turn_of(view, event), event)])
        recent_calls.note(self.state, event)
        self.effects += agent_blocks.offers(view, event)

    def finish(self) -> list[Effect]:
        for key, view in self.views.touched.items():
            if session_views.has_document(key):
                session = view["session"]
                prompts, counts = list(session["recent_prompts"]), dict(session["counts"])
                doc = {**session, "recent_prompts": prompts, "counts": counts}
                self.effects.append(effects.UpsertDocument("sessions", session["id"], doc))
                self.effects += filter(None, [recalls.told(view)])
            self._put_turn(view["turn"])
        for turn in self.late.values():
            self._put_turn(turn)
        self.views.close()
        self.effects += self.stats_by_day.values()
        return self.effects

    def _put_turn(self, turn: RunningTurn | None) -> None:
        if turn is not None:
            self.effects.append(effects.UpsertDocument("turns", turn["id"], turns.document(turn)))
            self.effects += trial_moments.stored(turn)
            others = (task_traces.stored(turn), agents.tallied(turn), recalls.finished(turn))
            self.effects += filter(None, others)

    def _measure(self, event: Doc, kind: str) -> None:
        if event.get("source") == "transcript":
            return
        day = event["ts"][:10]
        stats = self.stats_by_day.setdefault(day, HookStats(day))
        stats.kinds[kind] = stats.kinds.get(kind, 0) + 1
        if kind in _NOT_OF_HOOKS or event.get("source") == "mcp":
            return
        stats.last = max(stats.last, event["ts"])
        if kind == "hook_error":
            name = str(event["payload"].get("event") or "unknown")
            stats.errors[name] = stats.errors.get(name, 0) + 1
        duration_ms = event.get("hook_ms")
        if isinstance(duration_ms, int | float):
            stats.latencies.setdefault(kind, [0] * (len(BOUNDS_MS) + 1))[bucket(duration_ms)] += 1

    def turn_of(self, view: SessionView, event: Doc) -> RunningTurn:
        """Return the turn that an event belongs to; one without words if its prompt was never seen."""
        turn, prompt_id = view["turn"], event.get("prompt_id")
        if turn is None:
            turn = view["turn"] = self._begin(view, event, "", "human")
        if prompt_id and prompt_id != turn["prompt_id"]:
            for left in view.get("left", ()):
                if left["prompt_id"] == prompt_id:
                    self.late[left["id"]] = left
                    return left
        return turn

    def _begin(self, view: SessionView, event: Doc, prompt: str, origin: str) -> RunningTurn:
        turn = turns.begin(event, prompt, origin)
        turns.recalled(turn, view["told"])
        turn["_heard"] = view.get("heard", [])
        view["told"] = []
        trial_moments.follow(turn, view["turn"])
        trial_moments.note(turn, view.pop("met", []))
        self.effects += filter(None, [task_traces.begin(turn, event, prompt, view["session"])])
        return turn

    def _replace(self, view: SessionView, turn: RunningTurn) -> None:
        before = view["turn"]
        view["turn"] = turn
        if before is None:
            return
        turns.close(before, session_ended=False)
        self._put_turn(before)
        is_open = before["end"] in _WITHOUT_END or before["background"]
        is_read = before["host"] in interruptions.READERS
        if is_read or (before["prompt_id"] and is_open):
            view["left"] = [*view.get("left", ()), before][-_MOST_LEFT:]
            if before["end"] == "unfinished" or (is_read and before["end"] == "interrupted"):
                self.effects += interruptions.unclear(view, before, turn["started"])

    def prompt(self, view: SessionView, event: Doc) -> None:
        """A prompt: steering, a machine's news, or a new turn that may judge the one before it."""
        words, machine = event["payload"].get("prompt", ""), event["payload"].get("machine")
        turn = view["turn"]
        prompt_id = event.get("prompt_id")
        if turn is not None and not turn.get("ended") and prompt_id and prompt_id == turn["prompt_id"]:
            if not machine:
                turns.steer(turn, words)
                self._hear(view, event, words, steering=True)
            return
        if machine:
            self._replace(view, self._machine_turn(view, event, words, machine))
            return
        if turn is not None and not turn.get("ended"):
            self._refused(view, event)
            turns.close(turn, session_ended=False)
        heard = self._hear(view, event, words, steering=False)
        before, turn = turn, self._begin(view, event, words, "human")
        category = "" if heard is None or heard.doc.get("inferred") else heard.doc["feedback_category"]
        if category == "praise" and not continuations.orders_more(words):
            turn["_no_task"] = True
        task_traces.go_on(turn, before, words, corrects=category not in ("", "praise"))
        trial_moments.try_again(turn, before)
        self._replace(view, turn)
        self._asked(view, event, words)

    def _machine_turn(self, view: SessionView, event: Doc, words: str, machine: str) -> RunningTurn:
        news = machine == "task-notification"
        background = turns.background_context(view, words) if news else None
        context = background or (turns.context_for_next(view["turn"]) if news else {})
        turn = self._begin(view, event, words, "machine")
        turn["_led"], turn["_open"] = context, context.get("open", 0)
        if machine != "command":  # which a person chose
            task_traces.follow(turn, view["turn"])
        return turn

    def _asked(self, view: SessionView, event: Doc, words: str) -> None:
        session = view["session"]
        recent = session["recent_prompts"]
        if recent and clock.parse_ms(event["ts"]) - view.get("asked", 0) > _GAP_MS:
            recent.clear()
        session["recent_prompts"] = [*recent, words[:_RECENT_CHARS]][-_RECENT:]
        session.pop("pending_completion", None)
        session.pop("ended", None)
        view["prompts"] += 1
        view["asked"] = clock.parse_ms(event["ts"])

    def _hear(self, view: SessionView, event: Doc, words: str, *, steering: bool) -> FeedbackHeard | None:
        words, reason, judges = agent_calls.read(self.state, event, agent_blocks.without_blocks(words))
        if not judges:
            drafts = prompt_feedback.from_others(view, event, words, reason, self.state)
            self.effects += map(effects.DraftOffered, drafts)
            return None
        self.effects += [] if reason else recurring.signalled(event, words)
        detection = prompt_feedback.detected(view, words, steering=steering)
        heard = prompt_feedback.from_prompt(view, event, words, detection)
        category = heard.doc["feedback_category"] if heard else ""
        self.effects += filter(None, [recalls.complaint(view, event, words, category, is_over=not steering)])
        judges = heard is not None and heard.doc["event_type"] != "explicit_preference"
        if judges or outcomes.is_go_ahead(words):
            self.effects += filter(None, [turns.withdraw(view["turn"])])
        learned = prompt_feedback.lessons_from_prompt(view, event, words, detection, self.state)
        learned = prompt_feedback.of_others(learned, event, reason) if reason else learned
        if heard is None:
            self.effects += map(effects.DraftOffered, learned.drafts)
            if learned.sighting:
                self.effects.append(effects.WishSighted(learned.sighting, words))
            inferred = None if steering else turns.infer(view, event, words, detection.feedback)
            self._keep(inferred, event, view)
            return inferred
        heard.drafts, heard.sighting = learned
        self._keep(heard, event, view, is_over=not steering)
        return heard

    def _keep(
        self, heard: FeedbackHeard | None, event: Doc, view: SessionView, *, is_over: bool = False
    ) -> None:
        """Store feedback, and the correction that it is for an agent and for moments of experiments."""
        if heard is not None:
            self.effects += filter(None, (heard, agents.remarked(heard.doc, event["host"])))
            self.effects += trial_moments.corrected(heard.doc, view["turn"], is_over=is_over)

    def tool_end(self, view: SessionView, event: Doc) -> None:
        """A tool call that went through; some tell how far the agent's own list is."""
        turn = self.turn_of(view, event)
        view.pop("asking", None)
        self.effects += filter(None, [recalls.made(view, turn, event)])
        turns.tool_end(turn, event)
        _note_list(view, turn, event["payload"])

    def tool_failed(self, view: SessionView, event: Doc) -> None:
        turn = self.turn_of(view, event)
        turns.tool_failed(turn, event)
        self.effects += filter(None, [recalls.made(view, turn, event)])

    def _late(self, view: SessionView, event: Doc) -> None:
        """What a transcript says of a turn after hooks have reported it."""
        turn = session_views.turn_of(view, event)
        if turn is None:
            return
        if turn is not view["turn"]:
            self.late[turn["id"]] = turn
        then = cast("SessionView", {**view, "turn": turn})
        if event["kind"] == "refusal":
            self.refusal(then, event)
        elif event["kind"] == "prompt":
            self._prompt_late(then, turn, event)
        else:
            session_views.take(view, turn, event)
            self.effects += agent_blocks.offers(then, event)

    def _prompt_late(self, view: SessionView, turn: RunningTurn, event: Doc) -> None:
        """Words that no hook has: those that began the turn, or that were typed while it ran."""
        words = event["payload"].get("prompt", "")
        if session_views.begins(turn, words):
            self._hear(cast("SessionView", {**view, "turn": None}), event, words, steering=False)
        elif not event["payload"].get("machine") and not session_views.is_known(turn, words):
            turns.steer(turn, words)
            self._hear(view, event, words, steering=True)

    def _refused(self, view: SessionView, event: Doc) -> None:
        """Take what the person does instead of an answer for a refusal of the call that waits for one."""
        asking, prompt_id = view.pop("asking", None), event.get("prompt_id")
        if asking and (not prompt_id or event["kind"] == "prompt" or asking["prompt_id"] == prompt_id):
            event_id = transcript_lines.event_id(clock.parse_ms(event["ts"]), "refusal", event["id"])
            self.refusal(view, {**event, "id": event_id, "payload": {**asking, "words": "", "marked": True}})

    def refusal(self, view: SessionView, event: Doc) -> None:
        """A call that the person refused; what the client does not mark as that may be a tool's output."""
        if not event["payload"].get("marked"):
            self.tool_end(view, event)
            drafts = prompt_feedback.from_unmarked(view, event, self.state)
            self.effects += map(effects.DraftOffered, drafts)
            return
        turns.refused(self.turn_of(view, event), event)
        self.effects += recurring.signalled(event, event["payload"].get("words", ""))
        heard = prompt_feedback.from_refusal(view, event)
        if heard is not None and (words := event["payload"].get("words", "")):
            heard.drafts = prompt_feedback.lessons_from_refusal(view, event, words, self.state)
            self.effects += filter(None, [recalls.complaint(view, event, words, "rejection", is_over=False)])
        self._keep(heard, event, view)

    def turn_end(self, view: SessionView, event: Doc) -> None:
        """The agent ended its turn; with background tasks the claim waits for theirs."""
        turn = self.turn_of(view, event)
        self.effects += filter(None, [turns.withdraw(turn), recalls.claimed(view, turn, event)])
        turns.done(turn, event)
        if event["host"] in interruptions.READERS:
            self.effects += interruptions.unclear(view, turn, event["ts"])
        turns.remember_background(view, turn, event)
        if not turn["background"] and turn is view["turn"]:
            view["session"]["pending_completion"] = {
                "claimed_at": event["ts"], "task_description": turns.task(turn)[:500],
                "agent_used": turn["agent_used"], "claim": turn["claim"][:500],
            }  # fmt: skip

    def notice(self, view: SessionView, event: Doc) -> None:
        """A question for permission, or an interruption: of a call that waits for permission, a refusal."""
        kind, prompt_id = event["payload"].get("type"), event.get("prompt_id")
        if kind == "permission_prompt" and event["payload"].get("tool"):
            view["asking"] = {**event["payload"], "prompt_id": prompt_id}
        if kind != "interrupted" or view["turn"] is None:
            return
        self._refused(view, event)
        turn = self.turn_of(view, event)
        if not prompt_id or prompt_id == turn["prompt_id"] or not turn["prompt_id"]:
            turns.interrupted(turn, event["ts"])

    def session_end(self, view: SessionView, event: Doc) -> None:
        view["session"]["ended"] = event["ts"]
        if view["turn"] is not None:
            turns.close(view["turn"], session_ended=True)
            self._keep(turns.infer(view, event), event, view)

    def recall(self, view: SessionView, event: Doc) -> None:
        """Lessons were shown: in the running turn, or before the first one begins."""
        recalls.count(self.stats_by_day, event, is_first=not view.get("heard"))
        recalled = recalls.shown(view, event)
        self.effects += [*recalls.ran(event), *recalled, *recalls.of_receipt(event)]
        lesson_ids = [recall.lesson_id for recall in recalled]
        arms = recalls.held(view, event)
        turn, moment = view["turn"], event["payload"].get("moment")
        if turn is not None:
            turn["_heard"] = view.get("heard", [])
        if turn is None or moment == "start" or (turn.get("ended") and moment == "prompt"):
            view["told"] = [*view["told"], *lesson_ids][-_MOST_BEFORE:]
        else:
            turns.recalled(turn, lesson_ids)
        if turn is None or (turn.get("ended") and moment in ("start", "prompt")):
            view["met"] = [*view.get("met", ()), *arms][-_MOST_BEFORE:]
        else:
            trial_moments.note(turn, arms)


def _subagent(run: _Run, view: SessionView, event: Doc) -> None:
    turns.subagent(run.turn_of(view, event), event, is_new=session_views.is_new_agent(view, event))


_HANDLERS: dict[str, Callable[[_Run, SessionView, Doc], object]] = {
    "session_start": lambda _run, view, _event: view["session"].pop("ended", None), "prompt": _Run.prompt,
    "tool_start": lambda _run, view, event: recalls.starts(view, event), "tool_end": _Run.tool_end,
    "tool_failed": _Run.tool_failed, "refusal": _Run.refusal, "subagent_start": _subagent,
    "subagent_end": _subagent,
    "answer": lambda run, view, event: turns.claimed(run.turn_of(view, event), event),
    "turn_end": _Run.turn_end,
    "turn_failed": lambda run, view, event: turns.end(run.turn_of(view, event), "failed", event["ts"]),
    "notice": _Run.notice, "compact": lambda _run, _view, _event: None, "session_end": _Run.session_end,
    "recall": _Run.recall,
}  # fmt: skip


_OF_A_LIST = ("total", "completed", "pending")
_MOST_LISTED = 50


def _note_list(view: SessionView, turn: RunningTurn, payload: Doc) -> None:
    """Take over the list that a call reports, whole or one task of it."""
    todos, task = payload.get("todos"), payload.get("task")
    if isinstance(task, dict) and isinstance(task.get("id"), str):
        tasks = view.setdefault("tasks", {})
        tasks[task["id"]] = task.get("status")
        todos = _counted_list(tasks)
    if isinstance(todos, dict) and todos.keys() >= set(_OF_A_LIST):
        view["session"]["todo_snapshot"] = {name: todos[name] for name in _OF_A_LIST}
        turn["_open"] = todos["pending"]


def _counted_list(tasks: Doc) -> Doc:
    """Return {total, completed, pending} of tasks that were reported one by one."""
    for gone in [name for name, status in tasks.items() if status == "deleted"]:
        del tasks[gone]
    while len(tasks) > _MOST_LISTED:
        del tasks[next(iter(tasks))]
    done = list(tasks.values()).count("completed")
    return {"total": len(tasks), "completed": done, "pending": len(tasks) - done}
