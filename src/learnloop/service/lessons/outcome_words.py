"""What telling a lesson led to: `told 4× · heeded 1 · ignored 3, last 22 Nov "no, I said pnpm!"`."""

from collections.abc import Iterator, Mapping
from typing import Any

from learnloop.learn.lessons import origins, scorer
from learnloop.models import usage_counts
from learnloop.wire import text

Document = Mapping[str, Any]
_QUOTE, _TIMES = 80, {1: "once", 2: "twice"}


def story(lesson: Document) -> str:
    """The sessions that were told a lesson (a stored document) by outcome, and the last that went wrong."""
    usage = usage_counts.current(lesson.get("usage") or {})
    sessions = usage.get("told_sessions") or usage.get("recalled", 0)
    recurred = usage.get("recurred", 0)
    if not sessions:
        words = f"not told yet · came back {recurred}×" if recurred else "not told yet"
    else:
        words = " · ".join((f"told {sessions}×", *_counts(scorer.verdicts(usage), sessions)))
    return words + _last(lesson)


def moments(lesson: Document) -> str:
    """What its check saw, as `held 14 times, broke it twice, you ordered it once`; empty where nothing."""
    usage = lesson.get("usage") or {}
    named = (
        ("held", "held"), ("broken", "broke it"), ("retried", "made a stopped call again"),
        ("ordered", "you ordered it"),
    )  # fmt: skip
    seen = ((words, usage.get(name, 0)) for name, words in named)
    return ", ".join(f"{words} {_TIMES.get(count, f'{count} times')}" for words, count in seen if count)


def last_complaint(lesson: Document) -> Mapping[str, Any] | None:
    """The note of the person's last complaint: {ts, session_id, words}; None where there was none."""
    return next((note for note in reversed(lesson.get("notes") or ()) if note["kind"] == "came_back"), None)


def _counts(verdicts: scorer.Verdicts, sessions: int) -> Iterator[str]:
    counts = {
        "heeded": verdicts.heeded, "ignored": verdicts.ignored, "corrected again": verdicts.corrected,
        "open": sessions - verdicts.heeded - verdicts.failed,
        "rated helpful": verdicts.helpful, "rated harmful": verdicts.harmful,
    }  # fmt: skip
    yield from (f"{name} {count}" for name, count in counts.items() if count > 0)


def _last(lesson: Document) -> str:
    """When it last went wrong: the person's words in that session, else what was run."""
    notes = [note for note in lesson.get("notes") or () if note["kind"] in ("came_back", "ignored")]
    if not notes:
        return ""
    complaint = last_complaint(lesson)
    note = complaint if complaint and complaint["session_id"] == notes[-1]["session_id"] else notes[-1]
    words = text.cut(" ".join(note["words"].split()), _QUOTE)
    return f", last {origins.local_day(note['ts'])} " + (
        f'"{words}"' if note["kind"] == "came_back" else f"`{words}`"
    )
