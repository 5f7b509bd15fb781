"""A session as events, written the way hooks do."""

import itertools
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from learnloop.ingest.effects import Effect, FeedbackHeard, UpsertDocument
from learnloop.ingest.reduce import reduce
from learnloop.store import seal
from learnloop.store.document_table import KINDS
from learnloop.store.store import Store
from learnloop.wire import clock, event, journal, paths

Doc = dict[str, Any]
START = 1_790_000_000_000


class Scene:
    """Builds events, a second apart unless said otherwise."""

    def __init__(self, session: str = "s1", project: str = "/code/shop", start: int = START) -> None:
        self.session, self.project, self.ms = session, project, start
        self.events: list[Doc] = []
        self.calls = 0

    def add(self, kind: str, payload: Doc | None = None, *, after_s: float = 1.0, **more: Any) -> "Scene":
        self.ms += int(after_s * 1000)
        digits = f"{len(self.events):08x}{self.session.encode().hex():0>12}"[-20:]
        record = event.record(
            kind,
            host="claude",
            session_id=self.session,
            cwd=self.project,
            project=self.project,
            payload=payload or {},
            ts_ms=self.ms,
            event_id=f"{self.ms:012x}{digits:0>20}",
            **{name: value for name, value in more.items() if name != "source"},
        )
        if "source" in more:
            record["source"] = more["source"]
        self.events.append(record)
        return self

    def prompt(self, words: str, prompt_id: str = "", **more: Any) -> "Scene":
        machine = more.pop("machine", "")
        payload = {"prompt": words, **({"machine": machine} if machine else {})}
        payload |= {"headless": headless} if (headless := more.pop("headless", "")) else {}
        return self.add("prompt", payload, prompt_id=prompt_id, **more)

    def call(self, tool: str, target: str, kind: str = "tool_end", **more: Any) -> "Scene":
        self.calls += 1
        payload = {"tool": tool, ("command" if tool == "Bash" else "file"): target, **more.pop("payload", {})}
        if kind == "refusal":
            payload.setdefault("marked", True)
        return self.add(kind, payload, tool_use_id=more.pop("use", f"t{self.calls}"), **more)

    def stop(self, message: str = "Done.", background: int = 0, **more: Any) -> "Scene":
        tasks = [{"id": str(number)} for number in range(background)]
        return self.add("turn_end", {"message": message, "background": tasks}, **more)

    def corrected(self, words: str = "No, that's wrong, use pytest", prompt_id: str = "p2") -> "Scene":
        """A task that wrote a test, and what the person said to it."""
        self.add("session_start", {"source": "startup"}).prompt("write a test for the parser", "p1")
        self.call("Write", f"{self.project}/tests/test_parser.py", prompt_id="p1")
        self.call("Bash", "python -m unittest", prompt_id="p1").stop(prompt_id="p1")
        return self.prompt(words, prompt_id)


def write(root: str, *scenes: Scene) -> None:
    """Append the events of each scene."""
    for scene in scenes:
        assert journal.append(root, scene.events)


def in_parts(scenes: Sequence[Scene], rng: random.Random, most: int) -> Iterator[Scene]:
    """The events of scenes again, in order, as scenes of one to so many events."""
    events = [event for made in scenes for event in made.events]
    while events:
        part = Scene()
        part.events, events = events[: (count := rng.randint(1, most))], events[count:]
        yield part


def decide(root: str, action: str, ids: list[str], ms: int = START + 10_000_000, **args: Any) -> Doc:
    """Append a decision."""
    payload = {"action": action, "lesson_ids": ids, "args": args, "by": "cli"}
    decision = event.record(
        "decision", host="learnloop", session_id="cli", cwd="", project="", payload=payload,
        ts_ms=ms, event_id=f"{ms:032x}",
    )  # fmt: skip
    assert seal.append(root, [decision])
    return decision


def documents(root: str) -> Doc:
    """Everything that the store holds, by file and id."""
    folder = Path(paths.store(root))
    return {
        str(path.relative_to(folder)): {
            name: docs for name, docs in json.loads(path.read_bytes()).items() if name != "meta"
        }
        for path in sorted(folder.rglob("*.json"))
    }


def comparable(root: str) -> Doc:
    """The same without what says when it was taken in, for stores that hold the same events."""
    found = documents(root)
    found.pop("state.json", None)
    own = ("_segment", "_drafted", "prev", "seal", "_seal")  # when it was folded, and by the root's own key
    for name, told in itertools.product(("decisions.json", "lessons.json"), own):
        for docs in found.get(name, {}).values():
            for doc in docs.values():
                doc.pop(told, None)
    return found


def without_turns(root: str) -> None:
    """Take everything that follows from events out of a store, as retention does."""
    with Store(root).transaction() as changes:
        for kind in KINDS:
            for key in changes.documents(kind).all():
                changes.documents(kind).remove(key)
        changes.state = {}


class Outcome:
    """What a reduction asked of the store, latest version of each document."""

    def __init__(self, effects: list[Effect]) -> None:
        self.effects = effects
        puts = {(put.table, put.id): put.doc for put in effects if isinstance(put, UpsertDocument)}
        self.turns = sorted(
            (doc for (table, _), doc in puts.items() if table == "turns"), key=lambda turn: turn["started"]
        )
        self.sessions = [doc for (table, _), doc in puts.items() if table == "sessions"]
        self.traces = [doc for (table, _), doc in puts.items() if table == "traces"]
        self.heard = [effect for effect in effects if isinstance(effect, FeedbackHeard)]

    @property
    def feedback(self) -> list[Doc]:
        return [heard.doc for heard in self.heard]

    @property
    def drafts(self) -> list[Doc]:
        return [draft for heard in self.heard for draft in heard.drafts]


class Views:
    """The views of sessions as a store keeps them, and the state beside them."""

    def __init__(self) -> None:
        self.state: Doc = {}
        self._texts: dict[str, str] = {}

    def get(self, doc_id: str) -> Doc | None:
        view: Doc | None = json.loads(self._texts[doc_id]) if doc_id in self._texts else None
        return view

    def put(self, doc_id: str, document: Doc) -> None:
        self._texts[doc_id] = json.dumps(document)


def reduced(*scenes: Scene, views: Views | None = None) -> Outcome:
    """What the events of scenes, one after the other, ask of the store."""
    return reduced_events([event for scene in scenes for event in scene.events], views)


def reduced_events(events: Iterable[Doc], views: Views | None = None) -> Outcome:
    """The same of events."""
    kept = views or Views()
    return Outcome(reduce(kept.state, events, kept))


def iso(ms: int) -> str:
    return clock.iso(ms)
