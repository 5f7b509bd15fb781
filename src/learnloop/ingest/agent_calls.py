"""Which decisions fall into agents' calls, and which prompts an agent may have typed.

It is a fold over events that remembers the newest of both. A call's event may arrive after the decision. Then
the claim comes with it, and the index loses what the
decision had brought. State is bounded, and any cut of the stream gives the same.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from learnloop.learn.lessons import claims
from learnloop.learn.lessons.claims import Span
from learnloop.models import Decision
from learnloop.wire import clock

if TYPE_CHECKING:
    from learnloop.learn.language.authorship import Authorship

Doc = dict[str, Any]
_NAME = "calls"
_SPANS, _DECISIONS = 120, 100
_MINUTE = 60_000
_LONGEST_MS, _AFTER_MS, _BACKGROUND_MS = 10 * _MINUTE, 10 * _MINUTE, 720 * _MINUTE
"""How long an open call counts, and what one that names Learnloop, or works on behind, may have left."""
_OURS = re.compile(r"\blearn(-tui|loop\w*)?\b|hooks/current|journal\.jsonl")
_LEAVES = re.compile(r"(?<![&>|])&(?![&>])|\b(nohup|setsid|disown|crontab|systemd-run|tmux|screen)\b")
"""Commands that plainly leave something running."""
_TYPES = re.compile(r"\b(tmux|screen|zellij|xdotool|ydotool|wtype|osascript|kitty|wezterm|TIOCSTI)\b")
"""Programs and calls that type into terminals of others."""
_TYPED, _CLIENTS, _WORDS = 40, 200, 2_000
DOUBTED = 500
_ENDS = ("tool_end", "tool_failed", "refusal")


def claim(state: Doc, event: Doc) -> str:
    """Why a decision is claimed, by itself or by the calls so far; one in effect is noted."""
    try:
        decision = Decision(id=event["id"], ts=event["ts"], **event["payload"])
    except (ValidationError, TypeError):
        return ""
    calls = of(state)
    reason = str(event.get("fault") or "") or claims.by_itself(decision)
    reason = reason or claims.within(decision, spans(calls))
    if not reason and decision.door == "plugin":
        reason = _untyped(calls, decision)
    if not reason and decision.place is not None:
        entry = {
            "id": decision.id, "ts": decision.ts, "by": decision.by, "action": decision.action,
            "door": decision.door,
            "place": {"attended": decision.place.attended, "since_ms": decision.place.since_ms},
        }  # fmt: skip
        calls["decisions"] = [*calls["decisions"], entry][-_DECISIONS:]
    return reason


def note(state: Doc, event: Doc, root: str) -> Iterator[tuple[str, str]]:
    """Remember a call, or a command that a person typed; yields decisions that it claims, and why."""
    kind, calls = event["kind"], of(state)
    if kind == "session_end":
        _close_all(calls, event["session_id"])
        calls["clients"].pop(event["session_id"], None)
    if kind == "recall" and (event["payload"].get("stop") or event["payload"].get("gate")):  # it never ran
        name = event.get("tool_use_id") or event["payload"].get("tool")
        if span := calls["open"].get(f"{event['session_id']} {name}"):
            span[1] = span[3] = clock.parse_ms(event["ts"])
    if kind != "tool_start" and kind not in _ENDS:
        return
    span = _note_call(calls, event, root)
    if span is None:
        return
    for entry in [entry for entry in calls["decisions"] if _is_near(entry, span)]:
        if reason := claims.within(Decision.model_validate(entry), [span]):
            calls["decisions"].remove(entry)
            yield entry["id"], reason


def _is_near(entry: Doc, span: Span) -> bool:
    times = (entry["place"]["since_ms"], clock.parse_ms(entry["ts"]))
    return any(span.start <= at <= max(span.until, span.end + _MINUTE) for at in times)


def _trim(entries: Doc, most: int) -> None:
    """Remove the oldest entries above a number."""
    while len(entries) > most:
        del entries[next(iter(entries))]


def _note_call(calls: Doc, event: Doc, root: str) -> Span | None:
    payload, ms = event["payload"], clock.parse_ms(event["ts"])
    command, file = str(payload.get("command", "")), str(payload.get("file", ""))
    names_us = bool(_OURS.search(command)) or bool(root and (root in command or file.startswith(f"{root}/")))
    types = bool(_TYPES.search(command))
    if not command and not names_us:
        return None
    session, tool = event["session_id"], payload.get("tool")
    client = calls["clients"].get(session, 0)
    key = f"{session} {event.get('tool_use_id') or tool}"
    if event["kind"] == "tool_start":
        span = Span(ms, ms + _LONGEST_MS, names_us, ms + _LONGEST_MS, types=types, client=client)
        calls["open"][key] = list(span)
    else:
        is_late = payload.get("late") and key not in calls["open"]
        started = _late_start(calls, f"{session} {tool}", ms) if is_late else calls["open"].pop(key, [ms])[0]
        leaves = bool(payload.get("background") or _LEAVES.search(command))
        after = (_BACKGROUND_MS if leaves else _AFTER_MS) if names_us else 0
        span = Span(started, ms, names_us, ms + after, leaves, types, client)
        calls["spans"] = [*calls["spans"], list(span)][-_SPANS:]
    _trim(calls["open"], _SPANS)
    return span


def _late_start(calls: Doc, key: str, ms: int) -> int:
    """Take back the span of a call whose end no hook reported, and return its start.

    Such calls have no id, and their session may have ended since.
    """
    left = [span for span in calls["spans"] if span[1] - span[0] == _LONGEST_MS and span[0] <= ms]
    span = calls["open"].pop(key, None) or (left[-1] if left else [ms])
    calls["spans"] = [other for other in calls["spans"] if other != span]
    return int(span[0])


def _close_all(calls: Doc, session: str) -> None:
    for key in [key for key in calls["open"] if key.startswith(f"{session} ")]:
        calls["spans"] = [*calls["spans"], calls["open"].pop(key)][-_SPANS:]


def _untyped(calls: Doc, decision: Decision) -> str:
    session = decision.place.session if decision.place else ""
    is_typed = claims.is_typed(
        calls["typed"].get(session, ""), decision.action, decision.lesson_ids, decision.args
    )
    return "" if is_typed else claims.NOT_TYPED


def spans(calls: Doc) -> list[Span]:
    """The newest calls, those that are open among them."""
    return [Span(*span) for span in (*calls["spans"], *calls["open"].values())]


def of(state: Doc) -> Doc:
    """What is remembered of calls, decisions and prompts."""
    calls: Doc = state.setdefault(_NAME, {"spans": [], "decisions": []})
    for name in ("open", "typed", "clients", "doubted"):
        calls.setdefault(name, {})
    return calls


def doubt(state: Doc, event: Doc) -> str:
    """Why a prompt may be an agent's doing; of one that is not, its client is kept, and a verdict in it.

    One without a seal counts as long as no hook has sealed any: earlier versions did not.
    """
    calls = of(state)
    session, payload, typed = event["session_id"], event["payload"], calls["typed"]
    is_sealed = "seal" in payload and not event.get("fault")
    starter: Doc = payload.get("starter", {}) if is_sealed else {}
    calls["sealed"] = calls.get("sealed") or is_sealed
    reason = claims.UNSEALED if event.get("fault") and calls["sealed"] else ""
    reason = reason or claims.of_prompt(event["ts"], starter, spans(calls))
    typed.pop(session, None)
    if reason:
        calls["doubted"][event["id"]] = event["ts"]
    elif (prompt := str(payload.get("prompt", ""))).startswith("/learn:"):
        typed[session] = prompt[:_WORDS]
    if not reason and "pid" in starter:
        calls["clients"][session] = starter["pid"]
    for name, most in (("typed", _TYPED), ("clients", _CLIENTS), ("doubted", DOUBTED)):
        _trim(calls[name], most)
    return reason


def read(state: Doc, event: Doc, words: str) -> "Authorship":
    """Whose the words of a prompt are; who steers types while a command runs, so that judges all the same."""
    from learnloop.learn.language import authorship  # a verdict has no need of its forms

    authored, reason = authorship.read(words, event["payload"]), doubt(state, event)
    if not reason:
        return authored
    judges = authored.judges and reason == claims.BESIDE_CALL
    return authorship.Authorship(words, reason, judges)


def is_doubted(state: Doc, event_id: str, ts: str) -> bool:
    """Whether a prompt was doubted, or is older than all that are remembered when they are too many."""
    doubted: Doc = of(state)["doubted"]
    return event_id in doubted or (len(doubted) >= DOUBTED and ts <= next(iter(doubted.values())))
