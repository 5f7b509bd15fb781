"""How sessions look as lines: the list's rows, what is above a story, and the story's entries. Pure."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from learnloop.service.elapsed import elapsed
from learnloop.service.id_prefix import shown
from learnloop_tui.view import text
from learnloop_tui.view.page_parts import block
from learnloop_tui.view.session_state import FILTERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from learnloop.service.sessions.live_sessions import (
        LessonOutcome,
        LiveSession,
        Story,
        Subagent,
        TimelineEntry,
    )
    from learnloop_tui.view.session_state import SessionRow, StoryView
    from learnloop_tui.view.text import Line

PHASES: Mapping[str, tuple[str, str, str]] = {
    "waiting": ("!", "asks you", "warn"), "tool": ("▶", "at a tool", "good"),
    "working": ("●", "working", "good"), "idle": ("○", "idle", "accent"),
    "vanished": ("?", "vanished", "muted"),
    "interrupted": ("✗", "stopped", "bad"), "finished": ("▪", "finished", "muted"),
}  # fmt: skip
"""A glyph, a word and a look for what a session is doing."""
KINDS: Mapping[str, tuple[str, str]] = {
    "prompt": ("❯", "accent"), "tool": ("·", "muted"), "failed": ("✗", "bad"), "refusal": ("⊘", "warn"),
    "stopped": ("■", "bad"), "agent": ("▸", "accent"), "done": ("✓", "good"), "notice": ("!", "warn"),
    "told": ("◂", "good"), "held": ("◁", "muted"), "read": ("◈", "label"), "session": ("▪", "label"),
}  # fmt: skip
_PHASE, _PROJECT, _AGE, _LABEL, _MOST_HELPERS, _MOST_TOLD = 9, 14, 6, 9, 5, 3
_MARK = 8
_PROJECT_FROM = 44
"""From which width on the project has a column."""


def row(item: SessionRow, width: int, _marked: bool, _fresh: bool, now_ms: int) -> Line:
    """A session: what it is doing, where, with which other host, on what, since when."""
    glyph, word, look = PHASES[item.phase]
    project = f"{text.fit(item.folder or '–', _PROJECT)} " if width >= _PROJECT_FROM else ""
    age = f" {text.fit(elapsed(now_ms - item.session.last_ms), _AGE, right=True)} "
    mark = f"{text.cut(item.mark, _MARK)} " if item.mark else ""
    left = width - 4 - _PHASE - text.width(project) - text.width(mark) - text.width(age)
    task = item.session.asks if item.phase == "waiting" else item.session.task
    shown = "text" if item.phase in ("waiting", "tool", "working", "idle") else "muted"
    return (
        (f" {glyph} ", look), (f"{text.fit(word, _PHASE)} ", look), (project, "muted"),
        *(((mark, "accent"),) if mark else ()),
        (text.fit(task or "no prompt yet", max(4, left)), shown), (age, "label"),
    )  # fmt: skip


def header(width: int) -> Line:
    """The heads of the list's columns."""
    project = text.fit("project", _PROJECT + 1) if width >= _PROJECT_FROM else ""
    left = width - 4 - _PHASE - text.width(project) - _AGE - 2
    return (
        (
            f"    {text.fit('now', _PHASE + 1)}{project}{text.fit('task', max(4, left))} {'last':>{_AGE}} ",
            "label",
        ),
    )


def head(
    row: SessionRow, story: Story | None, times: tuple[float, float] | None, width: int, now_ms: int
) -> Iterator[Line]:
    """The lines above a story: the session, its tools, subagents and recalls."""
    session = row.session
    yield from block(session.task or "no prompt yet", width, "strong", limit=2)
    glyph, word, look = PHASES[row.phase]
    facts = [row.folder, session.branch, f"last {elapsed(now_ms - session.last_ms)} ago", session.host]
    facts += [f"since {_clock(session.started_ms)}", f"{session.events:,} events"]
    words = " · ".join(fact for fact in facts if fact)
    room = max(4, width - text.width(word) - 6)
    yield ((f" {glyph} {word}", look), (f"  {text.cut(words, room)}", "muted"))
    if row.phase == "waiting":
        yield from _field("asks", session.asks, width, "warn")
    for call in session.running[-2:]:
        yield from _field("runs", f"{call.tool} {call.target}".rstrip(), width, "good")
    if session.tools:
        by_use = sorted(session.tools.items(), key=lambda item: (-item[1][0], item[0]))
        counts = (f"{tool} {calls}{f' ({bad} failed)' if bad else ''}" for tool, (calls, bad) in by_use)
        yield from _field("tools", " · ".join(counts), width)
    if session.todo and session.todo[1]:
        done, total = session.todo
        wide = min(20, width - 26)
        full = round(wide * done / total)
        bar = (("━" * full, "good"), ("╌" * (wide - full), "label"))
        yield ((f" {text.fit('todo', _LABEL)}", "label"), *bar, (f" {done} of {total}", "text"))
    yield from _tree(session, width)
    if story is not None and story.feedback:
        heard = " · ".join(f"{kind.replace('_', ' ')} {count}" for kind, count in story.feedback.items())
        yield from _field("feedback", heard, width, "warn")
    for lesson in story.recalled[:_MOST_TOLD] if story else ():
        yield from _told(lesson, width)
    if times is not None:
        yield from _field("hooks", f"usually {times[0]:.0f} ms, 95 % under {times[1]:.0f} ms", width, "muted")


def _told(lesson: LessonOutcome, width: int) -> Iterator[Line]:
    """A lesson and what became of it, on a line of its own where both have no room on one."""
    named = f"{shown(lesson.id)} {lesson.statement}"
    if text.width(f"{named} ({lesson.became})") <= width - _LABEL - 2:
        yield from _field("recalled", f"{named} ({lesson.became})", width)
    else:
        yield from _field("recalled", named, width)
        yield from _field("", lesson.became, width, "muted")


def _tree(session: LiveSession, width: int) -> Iterator[Line]:
    """The subagents, each under the one that started it; the last ones where there are many."""
    shown = session.subagents[-_MOST_HELPERS:]
    ids = {helper.id for helper in shown}
    roots = [helper for helper in shown if helper.parent not in ids]
    if len(session.subagents) > len(shown):
        yield from _field("agents", f"{len(session.subagents) - len(shown)} earlier ones", width, "muted")
    for helper in roots:
        yield from _branch(helper, shown, 0, width)


def _branch(helper: Subagent, shown: tuple[Subagent, ...], depth: int, width: int) -> Iterator[Line]:
    state = "done" if helper.ended_ms else "at work"
    calls = f", {helper.calls} calls" if helper.calls else ""
    failed = f", {helper.failures} failed" if helper.failures else ""
    words = f"└ {helper.type}: {state}{calls}{failed}"
    look = "muted" if helper.ended_ms else "good"
    yield from _field("" if depth else "agents", words, width, look, indent=2 * depth)
    if depth < _MOST_HELPERS:
        for child in shown:
            if child.parent == helper.id and child is not helper:
                yield from _branch(child, shown, depth + 1, width)


def _field(label: str, words: str, width: int, look: str = "text", indent: int = 0) -> Iterator[Line]:
    shown = text.cut(words, max(4, width - _LABEL - 2 - indent))
    yield ((f" {text.fit(label, _LABEL + indent)}", "label"), (shown, look))


def title(view: StoryView, row: SessionRow | None) -> str:
    """The title of a session's story."""
    name, kinds = FILTERS[view.narrowed]
    parts = ("Story", text.cut(row.mark, _MARK) if row else "", name if kinds else "")
    return " · ".join(filter(None, parts))


def foot(view: StoryView) -> str:
    """Whether it follows, and how much there is."""
    cut = "the last " if view.story is not None and view.story.cut else ""
    return f"{cut}{len(view.items):,} · {'▼ follows' if view.follows else '‖ G follows again'}"


def entry(item: TimelineEntry, width: int, fresh: bool, project: str = "") -> Line:
    """One thing that happened; files of the project are shortened to their path in it."""
    glyph, look = KINDS[item.kind]
    who = f"{item.agent} " if item.agent else ""
    tool = f"{item.tool} " if item.tool else ""
    scores = "".join(f"{shown(lesson.id)} {lesson.score} " for lesson in item.lessons)
    words = words_of(item).replace(f"{project}/", "") if project else words_of(item)
    left = max(4, width - 12 - text.width(text.line(who + tool + scores)))
    heard = _heard(item, left)
    look_of_words = "fresh" if fresh else "text"
    if item.kind == "prompt":
        look_of_words = "muted" if item.machine else "strong"
    return (
        (f" {_clock(item.ms)} ", "label"), (f"{glyph} ", look), (who, "accent"), (scores, "good"),
        (tool, "muted"), (text.cut(words, left - text.width(heard)), look_of_words), (heard, "warn"),
    )  # fmt: skip


def _heard(entry: TimelineEntry, room: int) -> str:
    """What words were taken for, with the reason where there is room for it."""
    if not entry.heard:
        return ""
    whole = f" ↳ {text.line(entry.heard)}"
    return (
        whole
        if text.width(whole) * 2 <= room
        else f" ↳ {text.cut(entry.heard.partition(':')[0], max(4, room // 2))}"
    )


_TAG = re.compile(r"</?[a-z][\w-]*>")


def words_of(entry: TimelineEntry) -> str:
    """What an entry says."""
    if entry.kind == "prompt" and entry.machine:
        return f"({_TAG.sub(' ', entry.words).strip()})"
    if entry.kind == "held":
        return f"held back by an experiment {entry.words}".strip()
    return f"the session {entry.words}" if entry.kind == "session" else entry.words


def whole(entry: TimelineEntry, statements: Mapping[str, str], width: int) -> list[Line]:
    """All of an entry, for reading."""
    lines: list[Line] = [
        ((f" {datetime.fromtimestamp(entry.ms / 1000).astimezone():%Y-%m-%d %H:%M:%S}", "muted"),),
        (),
    ]
    for label, words in (("agent", entry.agent), ("tool", entry.tool), ("taken for", entry.heard)):
        lines += list(_field(label, words, width)) if words else []
    lines += block(words_of(entry) or "–", width, "text")
    for lesson in entry.lessons:
        statement = statements.get(lesson.id, "a lesson that is gone")
        lines += [(), ((f" {shown(lesson.id)}", "accent"), (f"  score {lesson.score} of 100", "muted"))]
        lines += block(statement, width, "text", indent=3)
    return lines


def nothing(query: str) -> list[Line]:
    """An empty list says what to do."""
    if query:
        return [
            (),
            ((f" No session contains “{text.cut(query, 40)}”.", "text"),),
            ((" esc shows all.", "muted"),),
        ]
    return [
        (), ((" No session was recorded yet.", "text"),), (),
        ((" Start your coding agent: it shows up here with its first prompt.", "muted"),),
        ((" Nothing happens? 7 shows whether the hooks are installed.", "muted"),),
    ]  # fmt: skip


def _clock(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000).astimezone().strftime("%H:%M:%S")
