"""What the person sees of Learnloop in the client: system messages, which never reach the model."""

import posix
import time

from learnloop.wire import clock, codec, env, paths, regular, session_recalls, switches, text

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from typing import Any

    from learnloop.wire.payload_fields import Payload
    from learnloop.wire.relevance import Record as Lesson

_STATEMENT, _LINE = 80, 160
_MOST_NEWS = 1 << 16
_CHANGED = "this project's instruction files changed since you trusted them: learn config --trust"
_OF_PROJECT = (
    "Learnloop: {} in this folder switches {} off; gates and CRITICAL lessons still count. "
    "If that is your wish: learn off --project{}. If not: {}"
)
_BY_SETTINGS = "Learnloop records nothing: {} (learn doctor says the way out)"
_REST_MS = 30 * 60 * 1000  # a session without an end is over when it has rested so long
_PRINT_MODE = "sdk-cli"


def of_recall(moment: str, lessons: "list[Lesson]") -> str:
    """The message about lessons that the person has not seen in this session yet, a line for each.

    At the start they are many, and none is about what the person does now: they are counted.
    """
    if moment == "start":
        return f"{len(lessons)} of your instructions told at the start"
    return "Learnloop: " + "\n".join(map(_line, lessons))


def of_project(switch: str) -> str:
    """What a switch does that came with the project."""
    what, option = (
        ("recall", " --recall") if switch == switches.PROJECT_RECORD_ONLY else ("recording and recall", "")
    )
    is_settings = switch == switches.PROJECT_SETTINGS
    way_out = "remove it, because a project has no settings" if is_settings else "learn on --project"
    return _OF_PROJECT.format(switch, what, option, way_out)


def by_settings(root: str) -> str:
    """Why the settings let nothing be recorded, where nobody wished that in so many words."""
    reason = switches.settings_note(root)["reason"]
    return _BY_SETTINGS.format(text.clean(reason)) if reason else ""


def _line(lesson: "Lesson") -> str:
    words = text.cut(lesson["text"].rstrip("."), _STATEMENT)
    origin = f" ({lesson['origin']})" if "origin" in lesson else ""
    return f"{words}{origin} \N{MIDDLE DOT} {lesson['short']}"


def at_start(root: str, payload: "Payload", project: str, session: str, recalled: str) -> str:
    """The one line of a session's start: how the last session went, what was told now, what waits.

    A client in print mode shows nobody its start, so the news stay for the next terminal.
    """
    is_shown = payload.get("source") == "startup" and env.get("CLAUDE_CODE_ENTRYPOINT") != _PRINT_MODE
    news = _json(paths.news(root)) if is_shown else {}
    last = _last_time(root, news, project, session)
    changed = news.get("changed")
    is_changed = isinstance(changed, list) and project in changed
    did = f"{'fact was' if news.get('taken') == 1 else 'facts were'} taken in"
    pieces = [
        f"last time: {last}" if last else "", recalled, _CHANGED if is_changed else "",
        _counted(news, "approved", "approved outside learn-tui", "U takes it back there"),
        _counted(news, "claimed", "written by an agent, perhaps", "learn patches dismiss discards it"),
        _counted(news, "taken", did, "U in learn-tui takes back"),
        _once_a_day(root, news) if news else "",
    ]  # fmt: skip
    line = " \N{MIDDLE DOT} ".join(filter(None, pieces))
    return f"Learnloop{' ' if last else ': '}{line}" if line else ""


def _json(path: str) -> "dict[str, Any]":
    """What an ingest has to tell; {} where that cannot be read."""
    try:
        told = codec.decode(regular.read(path, _MOST_NEWS).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _last_time(root: str, news: "dict[str, Any]", project: str, session: str) -> str:
    """How the last session of the project went that is over, told once; "" where lessons were not told."""
    sessions = news.get("sessions")
    for last in sessions if isinstance(sessions, list) else ():  # the newest first
        if not isinstance(last, dict) or last.get("project") != project or last.get("session") == session:
            continue
        words, name = last.get("words"), last.get("session")
        if not isinstance(words, str) or not isinstance(name, str) or not _is_over(last):
            continue
        try:
            is_mine = session_recalls.SessionRecalls(root, name).claim_news()
        except OSError:
            is_mine = False
        return _one_line(words, _LINE) if is_mine else ""
    return ""


def _is_over(last: "dict[str, Any]") -> bool:
    rests_since = last.get("last_ms")
    rests = clock.now_ms() - rests_since if isinstance(rests_since, int) else 0
    return last.get("over") is True or rests > _REST_MS


def _counted(news: "dict[str, Any]", name: str, did: str, back: str) -> str:
    """What was approved outside of the console since the last visit to it, or taken in by itself."""
    count, words = news.get(name), news.get(f"{name}_words")
    if not isinstance(count, int) or count < 1:
        return ""
    newest = _one_line(words, _STATEMENT) if isinstance(words, str) else ""
    named = f" (\N{LEFT DOUBLE QUOTATION MARK}{newest}\N{RIGHT DOUBLE QUOTATION MARK})" if newest else ""
    return f"{count} {did}{named}: {back}"


def _one_line(words: str, most: int) -> str:
    return text.cut(" ".join(text.clean(words).split()), most)


def _once_a_day(root: str, news: "dict[str, Any]") -> str:
    """What the last day with work left open, if that is over, and how many drafts wait; once a day."""
    drafts, left = news.get("drafts"), _left_open(root)
    waits = isinstance(drafts, int) and drafts > 0
    day = f"{paths.news(root)}.{time.strftime('%Y%m%d')}"
    try:
        if waits or left:
            posix.close(regular.opened(day, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL))
    except OSError:  # shown today already
        return ""
    waiting = f"{'1 draft waits' if drafts == 1 else f'{drafts} drafts wait'} in learn-tui" if waits else ""
    return " \N{MIDDLE DOT} ".join(filter(None, (left, waiting)))


def _left_open(root: str) -> str:
    """`left open on 2026-01-30: “Fix the cart” and 1 more: learn sessions --log week`."""
    last = _json(f"{paths.days(root)}/.open")
    day, words = _one_line(str(last.get("day")), _STATEMENT), last.get("words")
    is_over = len(day) == len("2026-01-30") and day < time.strftime("%Y-%m-%d")
    said = _one_line(words, _LINE) if is_over and isinstance(words, str) else ""
    return f"left open on {day}: {said}: learn sessions --log week" if said else ""
