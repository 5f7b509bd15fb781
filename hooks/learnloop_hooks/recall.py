"""Recall: the approved lessons for this moment, as an answer to the agent, and the receipt."""

from learnloop.wire import clock, env, payload_fields, payloads, render, session_recalls

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import Any

    from learnloop.wire import event
    from learnloop.wire.payload_fields import Payload
    from learnloop.wire.relevance import Record as Lesson

    Recalled = list[tuple[Lesson, int]]  # each with its score in hundredths
    from collections.abc import Collection, Iterable

    from learnloop.wire.check_memory import SessionChecks
    from learnloop.wire.check_rules import Call, Rule
    from learnloop.wire.index import Index
    from learnloop.wire.nearness import NearTask
    from learnloop.wire.relevance import Record as Lesson

    Answer = dict[str, Any]

_MOMENTS = {
    "SessionStart": "start",
    "SubagentStart": "start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "tool",
    "PostToolUse": "tool",
    "PostToolBatch": "tool",
    "Stop": "end",
    "SubagentStop": "end",
}
_PRIMED = ("UserPromptSubmit", "SubagentStart")
_CONTEXT_IS_GONE = ("compact", "clear")
_LOOKED_AT_START = 60
_BUDGETS = {"start_tokens": 500, "call_tokens": 400, "per_call": 3, "per_session": 12, "threshold": 70}


def recall(
    root: str, payload: "Payload", host: str, index: "Index | None", context: payloads.HookContext, *,
    keeps: bool, vital_only: bool, tells: bool, stops: bool, broke: "dict[str, str] | None" = None,
) -> "tuple[Answer | None, event.Record | None]":  # fmt: skip
    """The answer for the agent and the receipt; None for each where no lesson fires.

    Lessons are claimed first: of two hooks at once, exactly one shows them. `keeps` is whether words may be
    remembered; with `vital_only` nothing counts but stops and CRITICAL lessons. `tells`: the host
    takes words at this event. `stops`: it lets a call be denied, or a turn go on. `broke`: see `_Search`.
    """
    name, session = payload["hook_event_name"], context.named(payload.get("session_id"))
    agent = context.named(payload.get("agent_id")) or "main"
    if not session:
        return None, None
    if name == "PostToolBatch":  # a call that was denied beside others may be tried again
        session_recalls.SessionRecalls(root, session, agent).batch_over()
        if index is None or "end" not in index.header.get("looks", ()):
            return None, None
    answer: Answer | None = None
    receipt: event.Record | None = None
    message = ""
    if index is not None and (index.header["lessons"] or index.header.get("priming")):
        search = _Search(root, payload, host, index, context, session, agent, keeps, vital_only, tells, stops)
        search.broke = broke
        if name == "PostToolBatch":
            search.note_results()
            return None, None
        answer, receipt = search.answered(name)
        message = search.message
    if name == "SessionStart" and _may_show(index):
        from learnloop_hooks import messages

        message = messages.at_start(root, payload, context.project, session, message)
    if message:
        answer = {**(answer or {}), "systemMessage": message}
    return answer, receipt


def _is_primed(index: "Index", name: str, project: str) -> bool:
    """Whether the person lets agents be told earlier tasks at such a moment in the project."""
    decided = index.header.get("priming")
    return bool(decided and name in _PRIMED and decided.get(project, decided.get("")))


def _may_show(index: "Index | None") -> bool:
    """Whether the person wants to see in the client what is recalled."""
    return index is None or bool(index.header.get("switches", {}).get("messages", True))


class _Search:
    def __init__(
        self, root: str, payload: "Payload", host: str, index: "Index", context: payloads.HookContext,
        session: str, agent: str, keeps: bool, vital_only: bool, tells: bool, stops: bool,
    ) -> None:  # fmt: skip
        self._root, self._payload, self._host, self._index = root, payload, host, index
        self._context, self._session, self._agent = context, session, agent
        self._moment = _MOMENTS[payload["hook_event_name"]]
        self._keeps, self._vital_only = keeps, vital_only
        self._tells, self._stops = tells, stops
        self._budgets = {**_BUDGETS, **index.header.get("budgets", {})}
        self._is_trying = bool(keeps and index.header.get("trials"))
        """Whether lessons may be held back: only where that is recorded too."""
        self._stopped = ""
        """Why the agent is stopped: `gate`, so that it reads them; `stop`, as the call breaks them; `remind`,
        as they are due."""
        self._is_final = False
        """Whether the call is stopped however often it is made."""
        self._found: list[str] = []
        """What of the call, or of the last message, breaks lessons."""
        self._ran: dict[str, bool | None] = {}
        """Whether the person's own command of a lesson passed; None where the agent goes on first."""
        self.message = ""
        """What the person sees in the client of the lessons."""
        self.broke: dict[str, str] | None = None
        """What a model says that the turn broke, the place by lesson."""
        self._tried: Answer = {}
        """What the receipt says of an experiment on budgets."""
        self._trial: Any = index.header.get("budget_trial") if keeps else None
        self._mine: list[Lesson] | None = None
        """What the session's variant of it tells, where its variants differ."""
        self._opened: session_recalls.SessionRecalls | None = None
        self._typed = ""
        self._new: list[Lesson] = []
        """The lessons told now that the person sees for the first time."""

    def answered(self, name: str) -> "tuple[Answer | None, event.Record | None]":
        """The answer with lessons and earlier tasks, and the receipt of what is shown or held back."""
        is_told = self._tells and self._keeps and not self._vital_only
        is_primed = is_told and _is_primed(self._index, name, self._context.project)
        said = self._memory().said() if is_primed and self._moment == "prompt" else ()
        recalled, held = self._recalled()
        stop = {self._stopped: True} if self._stopped else {}
        near: list[NearTask] = []
        if is_primed and not stop:
            from learnloop_hooks import priming

            at_hand = (self._context.project, self._session, self._last_prompt())
            near = priming.nearest(self._root, self._index.header.get("hidden", ()), at_hand, said)
        lessons = [lesson for lesson, _ in recalled]
        how = "always" if self._stopped == "stop" and self._is_final else self._stopped
        answer = render.answer(name, lessons, how, self._found) if lessons else None
        chars = len(render.text(lessons)) if lessons else 0
        primed: Answer = {}
        if near:
            answer, primed = priming.add(
                self._index.header, name, self._session, near, answer, self._memory()
            )
        if not (recalled or held or primed or self._ran) or not self._keeps:
            return answer, None
        receipt = made_receipt(self._payload, self._host, self._moment, recalled, held, self._context)
        ran = {"ran": self._ran} if self._ran else {}
        receipt["payload"] |= {"chars": chars, **self._tried, **stop, **primed, **ran}
        return answer, receipt

    def _memory(self) -> session_recalls.SessionRecalls:
        """The memory of the session's agent, opened when it is first needed: most calls never do."""
        if self._opened is None:
            self._opened = session_recalls.SessionRecalls(self._root, self._session, self._agent)
        return self._opened

    def _last_prompt(self) -> str:
        """What a person typed last; "" for a machine's prompt, and for helper agents of the client itself."""
        if self._moment == "prompt":
            return self._typed
        return session_recalls.last_prompt(self._root, self._session) if self._agent_type() else ""

    def _recalled(self) -> "tuple[Recalled, Recalled]":
        """The lessons to show now, and those that an experiment holds back; both claimed for this hook."""
        claimed = self._claimed()
        left: Recalled = []
        if claimed and self._mine is not None:
            from learnloop.wire import budget_trials

            self._tried = session_recalls.moment(self._trial, self._session)
            claimed, left = budget_trials.cut(self._mine, claimed)
        if not self._is_trying or not any("trial" in lesson for lesson, _ in claimed):
            return claimed, left
        from learnloop.wire import trials

        told, held = trials.apart(claimed, self._session)
        return told, [*held, *left]

    def _claimed(self) -> "Recalled":
        if self._moment == "start":
            return self._at_start()
        if self._moment == "end":
            return self._at_end()
        words = self._typed = self._prompt() if self._moment == "prompt" else self._call()
        is_asked = payload_fields.tool_name(self._payload) in payload_fields.ASKED_TOOLS
        if not words and (is_asked or self._moment != "tool"):
            return []
        moment = self._ready(words)
        if self._moment == "prompt" and "asks" in self._index.header:
            broken, others = self._broken_before(), self._at_moment(moment)
            ids = [lesson["id"] for lesson, _ in broken]
            return [*broken, *(each for each in others if each[0]["id"] not in ids)]
        if self._moment != "tool" or not self._index.header.get("checks"):
            return self._at_moment(moment)
        from learnloop.wire import check_rules

        call = check_rules.Call(moment, self._payload, is_live=True)
        records = [
            each for each in check_rules.posted(self._index, moment, call.names()) if self._holds(each)
        ]
        memory = self._acts()
        recalled = self._stopped_before(records, call, memory) if records else []
        if not self._stopped:
            recalled = [*recalled, *(self._at_moment(moment) if is_asked else ())]
        if records and not self._stopped:
            check_rules.note(records, call, memory, passed=None)
            memory.keep()
        return recalled

    def _broken_before(self) -> "Recalled":
        """The lessons that a model says earlier turns broke, each told once with the place."""
        places = self._memory().claim_found() if self._tells else {}
        lessons = [render.brief(each) for each in self._named(places) if not self._is_held(each)]
        return [({**each, "more": f"You broke this before: {places[each['id']]}."}, 0) for each in lessons]

    def _named(self, ids: "Iterable[str]") -> "list[Lesson]":
        """The lessons with these ids that hold in the project."""
        from learnloop.wire import search

        return [each for each in search.named(self._index, self._context.project, ids) if self._holds(each)]

    def _stopped_before(self, records: "list[Lesson]", call: "Call", memory: "SessionChecks") -> "Recalled":
        """The lessons that the call breaks and that have not stopped one yet: they stop this one.

        One that is held back stops nothing, but it is claimed as if it did. One that only reminds is
        remembered for the end of the turn.
        """
        from learnloop.wire import check_rules

        may_stop = self._stops and self._index.header.get("switches", {}).get("stop", True)
        broken = [
            each for each in check_rules.broken(records, call, memory) if not self._is_ordered(*each[2:])
        ]
        for _, key, rule, _ in broken:
            if "stops" not in rule:
                memory.open(key)
        stopping = [lesson for lesson, _, rule, _ in broken if may_stop and "stops" in rule]
        ids = [lesson["id"] for lesson in stopping]
        new = self._memory().stops(ids, self._target(), clock.now_ms()) if ids else ()
        first = [lesson for lesson in stopping if lesson["id"] in new]
        always = [lesson for lesson, _, rule, _ in broken if lesson in stopping and rule.get("every")]
        stopping = [lesson for lesson in stopping if lesson in first or lesson in always]
        self._is_final = any(not self._is_held(lesson) for lesson in always)
        judged = [(rule, hit) for lesson, _, rule, hit in broken if lesson in stopping]
        self._found = [hit for rule, hit in judged if rule["form"] != "before" or rule["then"]]
        why = "stop" if self._found else "gate"
        return [(lesson, 0) for lesson in self._stop(stopping, first, why)] if stopping else []

    def _is_ordered(self, rule: "Rule", hit: str) -> bool:
        """Whether the person's last prompt orders the act; what has to come before it is due all the same."""
        from learnloop.wire import check_memory

        prompt = session_recalls.last_prompt(self._root, self._session)
        return rule["form"] != "before" and check_memory.is_ordered(hit, prompt)

    def note_results(self) -> None:
        """Remember which calls ended well, and what else is told of afterwards alone."""
        from learnloop.wire import check_memory, check_rules

        calls, memory = self._payload.get("tool_calls"), self._acts()
        for given in calls if isinstance(calls, list) else ():
            if isinstance(given, dict):
                self._payload = {**given, "cwd": self._payload.get("cwd"), "hook_event_name": "PostToolBatch"}
                moment = self._ready("")
                call = check_rules.Call(moment, given)
                records = list(check_rules.posted(self._index, moment, call.names()))
                check_rules.note(
                    records, call, memory, passed=check_memory.has_passed(given.get("tool_response"))
                )
        memory.keep()

    def _is_held(self, lesson: "Lesson") -> bool:
        """Whether the session's variant of an experiment holds the lesson back."""
        if not self._is_trying or "trial" not in lesson:
            return False
        return not session_recalls.arm(lesson["trial"], self._session)[2]

    def _at_start(self) -> "Recalled":
        from learnloop.wire import search

        if self._payload["hook_event_name"] == "SubagentStart" and not self._agent_type():
            return []  # a helper agent of the client itself
        memory = self._memory()
        if self._payload.get("source") in _CONTEXT_IS_GONE:
            memory.forget_context()
        shown = memory.shown("start")
        lessons = zip(range(_LOOKED_AT_START), search.start(self._index, self._ready("")), strict=False)
        fresh = (render.brief(record) for _, record in lessons if self._is_new(record, shown))
        fitting = self._fit(fresh, "start_tokens")
        claimed = self._claim(memory, fitting) if fitting else ()
        return [(record, 0) for record in fitting if record["id"] in claimed]

    def _fit(self, records: "Iterable[Lesson]", budget: str) -> "list[Lesson]":
        """The lessons that fit into a budget; under test, into that of any variant."""
        if self._trial and budget in self._trial["at"]:
            from learnloop.wire import budget_trials

            fitting, self._mine = budget_trials.fit(self._trial, self._session, records, budget)
            return fitting
        return render.fit_budget(records, self._budgets[budget])

    def _claim(
        self, memory: session_recalls.SessionRecalls, lessons: "list[Lesson]", limit: int = -1
    ) -> list[str]:
        """Claim lessons; what the person has not seen of them becomes the message."""
        claimed = memory.claim(self._moment, [lesson["id"] for lesson in lessons], limit)
        if claimed and _may_show(self._index):
            ids = memory.new_to_person(self._moment, claimed)
            if ids:
                from learnloop_hooks import messages

                self._new += [lesson for lesson in lessons if lesson["id"] in ids and self._is_told(lesson)]
                self.message = messages.of_recall(self._moment, self._new) if self._new else ""
        return claimed

    def _is_told(self, lesson: "Lesson") -> bool:
        mine = self._mine
        return (mine is None or lesson["id"] in [each["id"] for each in mine]) and not self._is_held(lesson)

    def _at_end(self) -> "Recalled":
        """The lessons that are due where an agent says it is done: it goes on once for each, once a turn."""
        payload, looks = self._payload, self._index.header["looks"]
        is_helper = payload["hook_event_name"] == "SubagentStop" and not self._agent_type()
        is_again = bool(payload.get("stop_hook_active"))
        if is_helper or (is_again and "run" not in looks) or payload_fields.waits_for_agents(payload):
            return []
        memory = self._acts()
        if self.broke:
            if memory.is_set(memory.sent):
                return []
            memory.recalls.claim_found()
            return self._reminded(memory, self._named(self.broke), self.broke)
        last = payload.get("last_assistant_message")
        if not memory.due() and not (isinstance(last, str) and "say" in looks):
            return []
        from learnloop.wire import check_rules

        posted = check_rules.posted(self._index, self._ready(""), (check_rules.ENDING,))
        records = [each for each in posted if self._holds(each)]
        is_again = is_again or memory.is_set(memory.sent)
        failing: dict[str, str] = {}
        if "run" in looks:
            from learnloop.wire import own_command

            goes_on, at = self._stops and not is_again, self._context.project
            failing, self._ran, self.message = own_command.judged(records, memory, at, goes_on=goes_on)
            memory.keep()
        if is_again:
            return []
        call = check_rules.Call(self._ready(""), {}, message=last if isinstance(last, str) else "")
        broken = {lesson["id"]: hit for lesson, _, _, hit in check_rules.broken(records, call, memory)}
        check_rules.note(records, call, memory, passed=None)
        memory.keep()
        ids = {*(key.partition(".")[0] for key in memory.due()), *broken}
        return self._reminded(
            memory, [each for each in records if each["id"] in ids], broken | failing, failing
        )

    def _reminded(
        self, memory: "SessionChecks", records: "list[Lesson]", broken: "dict[str, str]",
        again: "Collection[str]" = (),
    ) -> "Recalled":  # fmt: skip
        """Of lessons that are due or broken those that the agent goes on for: once each, but for `again`."""
        before = memory.recalls.reminded()
        new = [lesson["id"] for lesson in records if lesson["id"] not in before]
        claimed = memory.recalls.claim_reminder(new) if new else ()
        mine = [lesson for lesson in records if lesson["id"] in claimed or lesson["id"] in again]
        self._stopped = "remind" if any(not self._is_held(lesson) for lesson in mine) else ""
        if self._stopped:
            memory.mark(f"{memory.sent}~")
            memory.keep()
        self._found = [broken[lesson["id"]] for lesson in mine if lesson["id"] in broken]
        return [(lesson, 0) for lesson in render.fit_details(mine, self._budgets["call_tokens"])]

    def _acts(self) -> "SessionChecks":
        """The memory of the agent with what was done and is due."""
        from learnloop.wire import check_memory

        return check_memory.SessionChecks(self._root, self._session, self._agent)

    def _is_new(self, record: "Lesson", shown: "Collection[str]") -> bool:
        return record["id"] not in shown and self._holds(record)

    def _prompt(self) -> str:
        """What a person typed, remembered for the tools that follow; "" for a machine's prompt."""
        prompt = self._payload.get("prompt")
        if not isinstance(prompt, str) or payload_fields.machine(prompt):
            return ""
        from learnloop.wire import relevance

        if relevance.goes_on(prompt):
            return session_recalls.last_prompt(self._root, self._session)
        if self._keeps:
            self._remember(prompt)
        if self._index.header.get("checks"):
            memory = self._acts()
            memory.turn()
            memory.keep()
        return prompt

    def _remember(self, prompt: str) -> None:
        try:
            self._memory().keep_prompt(self._context.cleaned(prompt, session_recalls.PROMPT_CHARACTERS))
        except OSError:  # tools will be asked without it
            pass

    def _call(self) -> str:
        """The words of a call with the last human prompt; "" for a tool that recall ignores."""
        if payload_fields.tool_name(self._payload) not in payload_fields.ASKED_TOOLS:
            return ""
        last_prompt = session_recalls.last_prompt(self._root, self._session)
        return f"{payload_fields.tool_words(self._payload)}\n{last_prompt}"

    def _at_moment(self, moment: "Any") -> "Recalled":
        from learnloop.wire import search

        before: list[set[str]] = []

        def is_new(lesson: "Lesson") -> bool:
            if not before:
                before.append(self._memory().shown(self._moment))
            return self._tells and self._is_new(lesson, before[0])

        budgets = self._budgets
        count = self._trial["most"] if self._trial else budgets["per_call"]
        best = search.best(self._index, moment, count, is_new, budgets["threshold"])
        scores = {lesson["id"]: score["final"] for lesson, score in best}
        fitting = self._fit([lesson for lesson, _ in best], "call_tokens")
        claimed = self._claim(self._memory(), fitting, budgets["per_session"]) if fitting else ()
        return [(lesson, scores[lesson["id"]]) for lesson in fitting if lesson["id"] in claimed]

    def _stop(self, stopping: "list[Lesson]", first: "list[Lesson]", why: str) -> "list[Lesson]":
        """Record that the call is denied; its lessons are not shown again beside the next one.

        Those that are held back deny nothing. What denied a call before is not recorded again.
        """
        if first:
            self._memory().stopped([lesson["id"] for lesson in first], self._target(), clock.now_ms())
            self._claim(self._memory(), first)
        self._stopped = why if any(not self._is_held(lesson) for lesson in stopping) else ""
        return render.fit_details(stopping, self._budgets["call_tokens"])

    def _target(self) -> str:
        return session_recalls.target_name(
            payload_fields.tool_file(self._payload) or payload_fields.tool_command(self._payload)
        )

    def _ready(self, words: str) -> "Any":
        from learnloop.wire import relevance

        payload, cwd = self._payload, self._payload.get("cwd")
        return relevance.Moment({
            "moment": self._moment,
            "tool": payload_fields.tool_name(payload),
            "file": payload_fields.tool_file(payload),
            "command": payload_fields.tool_command(payload),
            "words": words,
            "project": self._context.project,
            "start": payload.get("started_in") or env.get("CLAUDE_PROJECT_DIR"),
            "cwd": cwd if isinstance(cwd, str) else "",
            "agent": self._agent_type() or "main",
            "host": self._host,
        })  # fmt: skip

    def _agent_type(self) -> str:
        name = self._payload.get("agent_type")
        return name if isinstance(name, str) else ""

    def _holds(self, lesson: "Lesson") -> bool:
        is_vital = lesson["priority"] == "CRITICAL" or "stop" in lesson
        is_over = lesson.get("expires") and lesson["expires"] <= clock.iso(clock.now_ms())
        return not is_over and (is_vital or not self._vital_only)


_TOOL = 200


def made_receipt(
    payload: "Payload", host: str, moment: str, recalled: "Recalled", held: "Recalled",
    context: payloads.HookContext,
) -> "event.Record":  # fmt: skip
    """The record of the lessons that were told, and of those that an experiment held back."""
    fields: dict[str, Any] = {
        "moment": moment,
        "lessons": [{"id": lesson["id"], "score": score} for lesson, score in recalled],
    }
    if held or any("trial" in lesson for lesson, _ in recalled):
        from learnloop.wire import trials

        session = context.named(payload.get("session_id"))
        fields["lessons"] = [trials.receipt(lesson, score, session) for lesson, score in recalled]
        fields["held"] = [trials.receipt(lesson, score, session) for lesson, score in held]
    if moment == "tool":
        fields["tool"] = context.cleaned(payload_fields.tool_name(payload), _TOOL)
        target = {"file": payload_fields.tool_file(payload), "command": payload_fields.tool_command(payload)}
        fields.update((name, context.cleaned(value, 2_000)) for name, value in target.items() if value)
    return payloads.record("recall", host, payload, fields, context, payload)
