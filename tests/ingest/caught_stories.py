"""Stories of an act, its correction and what would have caught it, played through records and ingest.

`tests/data/caught_stories.jsonl` has one a line: the acts of a turn, what the person said of it, and the
places of the acts that a lesson has to be told at, or `start` where only an answer was corrected. They were
written before the code that chooses moments was read.
"""

import json
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any, Literal, NamedTuple

from learnloop.models import Lesson
from learnloop.recall import compile as index_records
from learnloop.service.lessons import queue
from learnloop.service.review import check_trial
from learnloop.service.workspace import Workspace, ingest, open_workspace
from learnloop.wire import relevance
from tests.recorded_events import fire

STORIES = Path(__file__).parents[1] / "data" / "caught_stories.jsonl"
_BEGIN_MS = 1_763_600_000_000
Verdict = Literal["caught", "at start", "warned", "silent", "no draft"]


class Story(NamedTuple):
    """A turn and its correction."""

    number: int
    acts: list[list[str]]
    says: str
    caught: list[int] | str

    @property
    def project(self) -> str:
        """Its own project."""
        return f"/code/story{self.number}"


class Told(NamedTuple):
    """What a story's lesson would have done."""

    story: Story
    verdict: Verdict
    beside: int
    """Acts of the turn that were right, and that the lesson is told at all the same."""
    statement: str


def read() -> list[Story]:
    """All stories."""
    lines = STORIES.read_text("utf-8").splitlines()
    return [Story(at, **json.loads(line)) for at, line in enumerate(lines)]


def longer(stories: list[Story], beside: int = 2) -> list[Story]:
    """The stories as turns in which as many acts of other stories stand before and behind their own."""
    every = [act for story in stories for act in story.acts if act[0] not in ("say", "read")]
    others = [
        [every[(7 * at + 3 * step) % len(every)] for step in range(2 * beside)] for at in range(len(stories))
    ]
    return [_among(story, acts[:beside], acts[beside:]) for story, acts in zip(stories, others, strict=True)]


def _among(story: Story, before: list[list[str]], behind: list[list[str]]) -> Story:
    acts = [*before, *story.acts, *behind]
    if isinstance(story.caught, str):
        return story._replace(acts=acts)
    wrong = [story.acts[at] for at in story.caught]
    return story._replace(acts=acts, caught=[at for at, act in enumerate(acts) if act in wrong])


def play(root: str, stories: list[Story]) -> list[Told]:
    """Record all of them, learn from them, and try each story's lessons on its own acts."""
    for story in stories:
        _record(root, story)
    ws = open_workspace(root)
    ingest(ws, wait_s=60)
    lessons = queue.listing(ws, "draft")
    return [_tried(ws, story, [one for one in lessons if _is_of(one, story)]) for story in stories]


def _is_of(lesson: Lesson, story: Story) -> bool:
    return any(seen.session_id == f"s{story.number}" for seen in lesson.evidence)


def _record(root: str, story: Story) -> None:
    ticks = count(_BEGIN_MS + 100_000 * story.number, 1000)

    def at(hook: str, **payload: Any) -> None:
        fire(root, hook, f"s{story.number}", next(ticks), cwd=story.project, **payload)

    at("UserPromptSubmit", prompt="go on with the next step of the plan")
    for number, act in enumerate(story.acts):
        if act[0] == "say":
            continue
        for hook in ("PreToolUse", "PostToolUse"):
            at(hook, tool_use_id=f"{story.number}-{number}", **_payload(story, act))
    at("Stop", last_assistant_message=next((act[1] for act in story.acts if act[0] == "say"), "Done."))
    at("UserPromptSubmit", prompt=story.says)
    at("Stop", last_assistant_message="Understood.")


def _payload(story: Story, act: list[str]) -> dict[str, Any]:
    kind, what, *text = act
    if kind == "run":
        return {"tool_name": "Bash", "tool_input": {"command": what}, "tool_response": {}}
    given = {"file_path": f"{story.project}/{what}"}
    tool = {"read": "Read", "write": "Write", "edit": "Edit"}[kind]
    if kind == "write":
        given |= {"content": text[0]}
    elif kind == "edit":
        given |= {"old_string": "", "new_string": text[0]}
    return {"tool_name": tool, "tool_input": given, "tool_response": {}}


def _tried(ws: Workspace, story: Story, lessons: list[Lesson]) -> Told:
    if not lessons:
        return Told(story, "no draft", 0, "")
    in_use = [
        lesson.as_json() | {"status": "active", "statement": lesson.statement or story.says}
        for lesson in lessons
    ]
    records = [index_records.record(doc, doc["id"][:6]) for doc in in_use]
    told = {at for at, act in enumerate(story.acts) if any(_fires(record, story, act) for record in records)}
    stopped = any(check_trial.trial(ws, lesson).caught for lesson in lessons)
    wanted = set(story.caught) if isinstance(story.caught, list) else set()
    words = " | ".join(lesson.statement or f"({lesson.title})" for lesson in lessons)
    at_start = any("standing" in record or record["priority"] == "CRITICAL" for record in records)
    verdict: Verdict = "silent"
    if told & wanted or stopped or (story.caught == "start" and at_start):
        verdict = "caught"
    elif at_start:
        verdict = "at start"
    return Told(story, verdict, len(told - wanted), words)


def _fires(record: dict[str, Any], story: Story, act: list[str]) -> bool:
    kind, what, *_ = act
    if kind in ("say", "read"):
        return False
    moment = {"moment": "tool", "project": story.project, "cwd": story.project}
    if kind == "run":
        seen = {**moment, "tool": "Bash", "command": what, "words": what}
    else:
        path = f"{story.project}/{what}"
        seen = {**moment, "tool": kind.capitalize(), "file": path, "words": path}
    return bool(relevance.score(record, seen)["fires"])


def share(told: list[Told]) -> float:
    """Of those that have a draft, the share that would have been caught."""
    drafted = [one for one in told if one.verdict != "no draft"]
    return sum(one.verdict == "caught" for one in drafted) / len(drafted)


def report(told: list[Told]) -> str:
    """The share of those with a draft, and each story that was not caught."""
    counts = Counter(one.verdict for one in told)
    lines = [f"{share(told):.0%} of those with a draft would have been caught: {dict(counts)}"]
    lines += [f"also told at {sum(one.beside for one in told)} acts beside them"]
    lines += [
        f"{one.verdict:8} {one.story.number:2} {one.story.says[:70]!r} → {one.statement[:90]!r}"
        for one in told
        if one.verdict != "caught"
    ]
    return "\n".join(lines)
