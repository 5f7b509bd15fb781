"""However events are cut into segments, they become the same documents."""

from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from learnloop.ingest.effects import (
    AgentRemarked,
    CallMade,
    ClaimMade,
    DraftOffered,
    FeedbackHeard,
    FeedbackWithdrawn,
    LessonRecalled,
    TallyChanged,
    UpsertDocument,
)
from learnloop.ingest.reduce import reduce
from tests.examples import examples
from tests.ingest.session_scene import Scene, Views

Doc = dict[str, Any]
DAY_S = 86_400.0
_SAYS = (
    "write tests for the parser", "No, that's wrong, use pytest", "perfect", "thanks", "continue",
    "configure nightly backups for postgres", "from now on use tabs", "never mind", "why is it slow?", "ok",
)  # fmt: skip
_STEPS = (
    "prompt", "prompt", "prompt", "steer", "write", "agent write", "run", "fail", "refuse", "stop", "stop",
    "stop background", "news", "late stop", "end", "start", "todo", "task", "recall", "held",
    "interrupt", "copy",
)  # fmt: skip
step = st.tuples(
    st.sampled_from(_STEPS), st.sampled_from(_SAYS), st.sampled_from(("s1", "s2", "s3")),
    st.sampled_from((1.0, 1.0, 20.0, 400.0, 2000.0, 2 * DAY_S, -30.0)),
)  # fmt: skip


def events_of(steps: list[tuple[str, str, str, float]]) -> list[Doc]:
    """The events of steps that several sessions take in turn, on one clock that may go back."""
    scenes = {name: Scene(name) for name in ("s1", "s2", "s3")}
    ids = dict.fromkeys(scenes, 0)
    made: list[Doc] = []
    ms = next(iter(scenes.values())).ms
    for kind, words, name, after in steps:
        scene, before = scenes[name], len(scenes[name].events)
        ms += int(after * 1000)
        scene.ms = ms
        _step(scene, kind, words, ids, name)
        made += scene.events[before:]
    return made


def _step(scene: Scene, kind: str, words: str, ids: dict[str, int], name: str) -> None:
    now = f"{name}-{ids[name]}"
    match kind:
        case "prompt":
            ids[name] += 1
            scene.prompt(words, f"{name}-{ids[name]}")
        case "steer":
            scene.prompt(words, now)
        case "news":
            ids[name] += 1
            news = "<task-notification><task-id>0</task-id></task-notification>"
            scene.prompt(news, f"{name}-{ids[name]}", machine="task-notification")
        case "write":
            scene.call("Write", "/code/shop/a.py", prompt_id=now)
        case "agent write":
            scene.add("subagent_start", agent_id="a1", agent_type="tester")
            scene.call("Write", "/code/shop/b.py", agent_id="a1", agent_type="tester", prompt_id=now)
        case "run":
            scene.call("Bash", "make test", prompt_id=now)
        case "fail":
            scene.call("Bash", "make", "tool_failed", payload={"error": "Exit code 1"}, prompt_id=now)
        case "refuse":
            scene.call("Bash", "rm x", "refusal", payload={"words": words}, prompt_id=now)
        case "stop":
            scene.stop(prompt_id=now)
        case "stop background":
            scene.stop("Started.", background=1, prompt_id=now)
        case "late stop":
            scene.stop("Late.", prompt_id=f"{name}-{max(ids[name] - 1, 0)}")
        case "end":
            scene.add("session_end", {"reason": "other"})
        case "start":
            scene.add("session_start", {"source": "resume"})
        case "todo":
            todos = {"total": 3, "completed": 1, "pending": 2}
            scene.call("TodoWrite", "", payload={"todos": todos}, prompt_id=now)
        case "task":
            scene.call("TaskUpdate", "", payload={"task": {"id": "1", "status": "completed"}}, prompt_id=now)
        case "recall":
            scene.add("recall", {"moment": "prompt", "lessons": [{"id": "aaaa", "score": 70}]})
        case "held":
            held = {"id": "bbbb", "score": 70, "trial": "t1", "arm": "held out"}
            scene.add("recall", {"moment": "prompt", "lessons": [], "held": [held]})
        case "interrupt":
            scene.add("notice", {"type": "interrupted", "message": ""})
        case _:
            if scene.events:
                scene.events.append({**scene.events[-1], "id": scene.events[-1]["id"][::-1]})


class Documents:
    """What a store would hold: the documents, and what is counted besides."""

    def __init__(self) -> None:
        self.views = Views()
        self.docs: dict[tuple[str, str], Doc] = {}
        self.tallies: dict[str, int] = {}
        self.remarks: list[Doc] = []
        self.drafts: list[Doc] = []
        self.acts: list[LessonRecalled | CallMade | ClaimMade] = []

    def take(self, events: list[Doc]) -> None:
        """One segment."""
        for effect in reduce(self.views.state, events, self.views):
            match effect:
                case UpsertDocument(table, doc_id, doc):
                    self.docs[table, doc_id] = doc
                case FeedbackHeard(doc):
                    self.docs["feedback", doc["id"]] = doc
                    self.drafts += effect.drafts
                case DraftOffered(draft):
                    self.drafts.append(draft)
                case FeedbackWithdrawn(doc_id):
                    self.docs.pop(("feedback", doc_id), None)
                case TallyChanged():
                    self._tally(effect)
                case AgentRemarked():
                    self.remarks.append(effect.remark)
                case LessonRecalled() | CallMade() | ClaimMade():
                    self.acts.append(effect)

    def _tally(self, effect: TallyChanged) -> None:
        for shares, sign in ((effect.before, -1), (effect.after, 1)):
            for share in shares:
                name = repr(share)
                self.tallies[name] = self.tallies.get(name, 0) + sign

    def seen(self) -> Any:
        """All that can be compared."""
        docs = {
            place: {name: value for name, value in doc.items() if name[0] != "_"}
            for place, doc in self.docs.items()
        }
        return (
            docs,
            {name: count for name, count in self.tallies.items() if count},
            self.remarks,
            self.drafts,
            self.acts,
        )


AT_REST = [
    ("prompt", _SAYS[0], "s1", 1.0), ("todo", "", "s1", 1.0), ("stop", "", "s1", 1.0),
    ("prompt", _SAYS[5], "s2", 2 * DAY_S), ("prompt", _SAYS[5], "s1", 1.0),
]  # fmt: skip
"""A session that goes to rest with tasks left open, and comes back with something else."""


@example(steps=AT_REST, cuts={3, 4})
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(step, min_size=2, max_size=40), cuts=st.sets(st.integers(0, 45), max_size=12))
def test_any_split_gives_the_same_documents(steps: list[tuple[str, str, str, float]], cuts: set[int]) -> None:
    events = events_of(steps)
    whole, parts = Documents(), Documents()
    whole.take(events)
    places = [0, *sorted(cut for cut in cuts if 0 < cut < len(events)), len(events)]
    for start, end in pairwise(places):
        parts.take(events[start:end])

    assert parts.seen() == whole.seen()


def test_the_session_at_rest_is_one() -> None:
    found = Documents()
    events = events_of(AT_REST)
    found.take(events[:3])
    found.take(events[3:4])

    found.take(events[4:])
    docs, *_ = found.seen()
    assert [doc["rule"] for (table, _), doc in docs.items() if table.startswith("feedback")] == [
        "left-undone"
    ]


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(step, min_size=2, max_size=40))
def test_a_turn_has_one_outcome_and_no_feedback_is_counted_twice(
    steps: list[tuple[str, str, str, float]],
) -> None:
    found = Documents()
    found.take(events_of(steps))
    docs, *_ = found.seen()
    feedback = {doc["id"]: doc for (table, _), doc in docs.items() if table.startswith("feedback")}
    turns = [doc for (table, _), doc in docs.items() if table.startswith("turns")]

    for turn in turns:
        about = [one for one in feedback.values() if one["turn_id"] == turn["id"]]
        assert sum(one.get("inferred", False) for one in about) <= 1
        if turn["outcome"] != "unknown":
            assert feedback[turn["feedback_id"]]["event_type"] == turn["outcome"]
        if any(one.get("inferred") for one in about):
            assert turn["outcome"] != "unknown"
