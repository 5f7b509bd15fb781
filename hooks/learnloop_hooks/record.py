"""From the bytes of a firing to records in the journal and an answer for the agent."""

import posix
import time

from learnloop.wire import (
    clock,
    codec,
    env,
    event,
    journal,
    paths,
    payload_fields,
    payloads,
    project,
    switches,
)

TYPE_CHECKING = False  # what type checkers take for true; `typing` costs as much as the interpreter
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from learnloop.wire.event import Record
    from learnloop.wire.hosts.translation import Translation
    from learnloop.wire.index import Index
    from learnloop.wire.payload_fields import Payload

    Answer = dict[str, Any] | None

_ENDING = ("Stop", "SubagentStop")
_RECALLING = ("SessionStart", "SubagentStart", "UserPromptSubmit", "PreToolUse")
_STOPPING = ("PreToolUse", *_ENDING)
_INGESTING = ("SessionStart", "Stop", "SessionEnd")
_INGEST_EVERY_S, _INGEST_AT_END_S = 60, 5  # the next start tells how the session that ends went
_ERROR = 500
_LARGE, _MOST_PARTS = 1 << 20, 1_000_000  # as many lists take 50 MB and a tenth of a second
_NOT_KEPT = "Learnloop cannot record this session: {} cannot be written to (learn doctor shows more)"
_LOST = "Learnloop could not record {} times, last {}: {} could not be written to (learn doctor shows more)"
_NAME = b'"hook_event_name"'


def handle(root: str, host: str, data: bytes, size: int, started_ns: int, event: str = "") -> bytes:
    """Record one firing and return what the agent is to be told: JSON, or nothing.

    `event` names it where the payload does not.
    """
    firing = _Firing(root, host, size, started_ns)
    try:
        payload = firing.decode(data)
        of_another = "cursor_version" in payload or ("timestamp" in payload and env.get("COPILOT_CLI"))
        if host == "claude" and of_another:
            return b""  # Copilot and Cursor run the hooks of Claude Code's settings beside their own
        foreign = None if host == "claude" else firing.translated(payload, event)
    except (ValueError, RecursionError) as error:
        firing.records.clear()
        firing.failed(event or _named(data), error)
        firing.is_recording = switches.recording(root, project_of({}))
        firing.keep()
        return b""
    answers = [firing.process(each) for each in (foreign.payloads if foreign else (payload,))]
    name = foreign.name if foreign else payload.get("hook_event_name")
    answer = foreign.answered([each for each in answers if each]) if foreign else answers[0]
    answer = _remarked(answer, firing.of_losses(name, is_kept=firing.keep()))
    if name in _INGESTING:
        every_s = _INGEST_AT_END_S if name == "SessionEnd" else _INGEST_EVERY_S
        if firing.may_ingest and _ingest_is_due(root, every_s):
            from learnloop_hooks import background

            background.start(root)
        if firing.ending and not answer and (broke := firing.judged()):
            answer = foreign.answered([broke]) if foreign else broke
    return codec.encode(answer).encode("ascii") if answer else b""


def _named(data: bytes) -> str:
    """The event's name in bytes that cannot be decoded, if it stands near their beginning."""
    after = data[:65_536].partition(_NAME)[2].lstrip(b' :"')
    return after.partition(b'"')[0].decode("ascii", "replace")


def _ingest_is_due(root: str, every_s: int) -> bool:
    """Whether no background ingest was started for so long, and may be."""
    if not _may_start():
        return False
    try:
        return posix.stat(root + "/ingest.stamp").st_mtime < time.time() - every_s
    except FileNotFoundError:
        return True


def _may_start() -> bool:
    """Whether nothing in the environment keeps hooks from starting processes."""
    return not env.get("LEARNLOOP_BACKGROUND") or env.is_on("LEARNLOOP_BACKGROUND")


def project_of(payload: "Payload") -> str:
    """The project that a firing belongs to: of the folder the agent was started in, wherever it is now."""
    start = payload.get("started_in") or env.get("CLAUDE_PROJECT_DIR") or payload.get("cwd")
    return project.find(_real(start if start and isinstance(start, str) else "."), _real(paths.home()))


def _real(path: str) -> str:
    """The path without links: a process of its own may simply go there and ask where it is."""
    try:
        posix.chdir(path)
        return posix.getcwd()
    except (OSError, ValueError):
        return path


def _headless() -> str:
    """Who types here, as the client says: `nested` below another client, `print` in print mode or an SDK."""
    if env.get("CLAUDE_CODE_EXECPATH"):
        return "nested"
    attended = env.get("CLAUDE_CODE_SESSION_ATTENDED")
    by_program = attended == "0" or (not attended and env.get("CLAUDE_CODE_ENTRYPOINT").startswith("sdk"))
    return "print" if by_program else ""


def _index(root: str) -> "Index | None":
    """The recall index; a missing or damaged one means no lessons, nothing worse."""
    try:
        from learnloop.wire import index

        return index.read(paths.index(root))
    except Exception:
        return None


def _own_patterns(root: str) -> "list[str]":
    """The person's redaction patterns where no index tells them; raises where they cannot be read."""
    from learnloop.wire import regular

    try:
        patterns: list[str] = codec.decode(regular.read(paths.redaction(root), 1 << 20).decode("utf-8"))
    except FileNotFoundError:
        return []
    return patterns


def _remarked(answer: "Answer", *remarks: str) -> "Answer":
    """The answer, with what the person is to know besides."""
    lines = "\n".join(filter(None, [(answer or {}).get("systemMessage", ""), *remarks]))
    return {**(answer or {}), "systemMessage": lines} if lines else answer


class _Firing:
    """One firing: the records that come of it, kept by one append."""

    def __init__(self, root: str, host: str, size: int, started_ns: int) -> None:
        self.root = root
        self.host = host
        self.size = size
        self.started_ns = started_ns
        self.ts_ms = clock.now_ms()
        self.records: list[Record] = []
        self.is_recording = True
        self.may_ingest = True
        self.headless = ""
        self.tells: Sequence[str] = _RECALLING
        self.stops: Sequence[str] = _STOPPING
        self.ending: tuple[Payload, Index, payloads.HookContext, str] | None = None
        """The end of a turn that a model may judge."""

    def decode(self, data: bytes) -> "Payload":
        """The payload; raises ValueError or RecursionError where the bytes hold none."""
        if self.size > len(data):
            raise ValueError("larger than a hook reads")
        if not data:
            raise ValueError("nothing on standard input")
        if len(data) > _LARGE and data.count(b"[") + data.count(b"{") > _MOST_PARTS:
            raise ValueError("more parts than a hook takes apart")
        try:
            decoded = data.decode("utf-8")
        except UnicodeDecodeError as error:
            self.failed(_named(data), error)
            decoded = data.decode("utf-8", "replace")
        payload = codec.decode(decoded.removeprefix("\ufeff"))
        if not isinstance(payload, dict):
            raise ValueError("not a JSON object")
        return payload

    def translated(self, payload: "Payload", event: str) -> "Translation":
        """The payload of another host as Claude Code's; raises ValueError for an unknown event."""
        from learnloop.wire.hosts import description, translation

        caller = description(self.host).get("caller")
        if caller and (caller not in payload or switches.recording(self.root, project_of(payload))):
            from learnloop.wire.hosts import subagent_sessions

            payload = subagent_sessions.joined(self.root, payload, caller)
        foreign = translation.Translation(self.host, payload, event)
        self.tells, self.stops = foreign.host["told"], foreign.host["stopped"]
        if foreign.name == "UserPromptSubmit":
            from learnloop.wire.hosts import attendance

            self.headless = attendance.headless(foreign.host)
        return foreign

    def process(self, payload: "Payload") -> "Answer":
        """Make the records of a payload, and the answer where the moment has one."""
        name = payload.get("hook_event_name")
        is_asked = name != "PreToolUse" or payload_fields.tool_name(payload) in payload_fields.ASKED_TOOLS
        compiled = None if is_asked else _index(self.root)
        if not is_asked and not {"read", "tool"}.intersection(compiled.header["looks"] if compiled else ()):
            return None
        folder = project_of(payload)
        if switches.stopped_in(self.root, folder):
            self.is_recording = False
            return None
        of_project = switches.of_project(folder)
        compiled = compiled or _index(self.root)
        header = compiled.header if compiled else {}
        switched = header.get("switches", {})
        self.may_ingest = switched.get("background", True)
        is_off = of_project in (switches.PROJECT_OFF, switches.PROJECT_SETTINGS)
        may_record = switches.may_record(self.root)
        self.is_recording = may_record and switched.get("record", True) and not is_off
        context = self._context(payload, folder, header)
        if context is None:
            return None
        if self.is_recording:
            self._record(payload, context)
        if name == "PostToolBatch":  # of interest where lessons stop calls
            is_noted = header.get("gates") or header.get("looks")
            return self._recall(payload, compiled, context, of_project) if is_noted else None
        if name in _ENDING:
            if name == "Stop" and compiled and "asks" in header and self.is_recording and _may_start():
                self.ending = payload, compiled, context, of_project
            if not header.get("dues"):
                return None
        # A prompt is remembered for the calls that follow, also where it takes no words.
        if name not in self.tells and name not in self.stops and name != "UserPromptSubmit":
            return None
        is_recalling = switched.get("recall", True) and switches.recalling(self.root, folder)
        answer = self._recall(payload, compiled, context, of_project) if is_recalling else None
        if name != "SessionStart":
            return answer
        switch = of_project if is_off or is_recalling else ""
        return answer if may_record and not switch else self._of_switches(answer, switch, may_record)

    def _of_switches(self, answer: "Answer", switch: str, may_record: bool) -> "Answer":
        """The answer of a start, with what a project or the settings switch."""
        from learnloop_hooks import messages

        of_switch = messages.of_project(switch) if switch else ""
        return _remarked(answer, of_switch, "" if may_record else messages.by_settings(self.root))

    def judged(self) -> "Answer":
        """Have a model judge the turn that ended; the answer where it broke what the agent waits for."""
        assert self.ending
        payload, compiled, context, of_project = self.ending
        session, asks = context.named(payload.get("session_id")), compiled.header["asks"]
        is_on = asks["on"].get(context.project, asks["on"].get("", False))
        if not is_on or not session or payload_fields.waits_for_agents(payload):
            return None
        waits = "Stop" in self.stops and not payload.get("stop_hook_active")
        waits = waits and not {context.project, ""}.isdisjoint(asks["waits"])
        from learnloop_hooks import background

        try:
            broken = background.judge(self.root, session, waits=waits)
        except Exception:  # the next reading judges it
            return None
        self.records = []
        answer = self._recall(payload, compiled, context, of_project, broken) if broken else None
        self.keep()
        return answer

    def _context(
        self, payload: "Payload", folder: str, header: "dict[str, Any]"
    ) -> payloads.HookContext | None:
        """What the records share; None where the person's redaction patterns cannot be read."""
        try:
            extras = header.get("redaction", ()) if header else _own_patterns(self.root)
            return payloads.HookContext(folder, extras, self.ts_ms, headless=_headless() or self.headless)
        except Exception as error:
            self.failed(payload.get("hook_event_name"), error, payload.get("session_id"))
            return None

    def _record(self, payload: "Payload", context: payloads.HookContext) -> None:
        try:
            self.records += (made := payloads.records(self.host, payload, context))
            if payload["hook_event_name"] == "UserPromptSubmit":
                from learnloop.wire import provenance

                provenance.mark(self.root, made, is_hook=True)
        except Exception as error:
            self.failed(payload.get("hook_event_name"), error, payload.get("session_id"))

    def _recall(
        self, payload: "Payload", compiled: "Index | None", context: payloads.HookContext, of_project: str,
        broke: "dict[str, str] | None" = None,
    ) -> "Answer":  # fmt: skip
        """Ask recall; whatever goes wrong in it costs nothing but the recall."""
        try:
            from learnloop_hooks import recall

            answer, receipt = recall.recall(
                self.root, payload, self.host, compiled, context, keeps=self.is_recording,
                vital_only=bool(of_project), tells=payload["hook_event_name"] in self.tells,
                stops=payload["hook_event_name"] in self.stops, broke=broke,
            )  # fmt: skip
        except Exception as error:
            self.failed(payload.get("hook_event_name"), error, payload.get("session_id"))
            return None
        if receipt:
            self.records.append(receipt)
        return answer

    def failed(self, name: object, error: BaseException, session_id: object = "") -> None:
        """Note that something went wrong, in words without captured text."""
        compiled = _index(self.root)
        extras = compiled.header.get("redaction", ()) if compiled else ()
        reason = payloads.named(f"{type(error).__name__}: {error}", _ERROR, extras)
        payload = {"event": payloads.named(name, 40, extras), "error": reason, "bytes": self.size}
        record = event.record(
            "hook_error", host=self.host, session_id=payloads.named(session_id, extras=extras), cwd="",
            project="", payload=payload, ts_ms=self.ts_ms,
        )  # fmt: skip
        self.records.append(record)

    def keep(self) -> bool:
        """Append what was made, without waiting for the disk; False where nothing could keep it."""
        if not self.records or not self.is_recording:
            return True
        self.records[0]["hook_ms"] = round((time.monotonic_ns() - self.started_ns) / 1e6, 2)
        is_kept = journal.append(self.root, self.records)
        if not is_kept:
            journal.note_loss(self.root)
        return is_kept

    def of_losses(self, name: object, *, is_kept: bool) -> str:
        """What is told at a start of records that nothing kept."""
        if name != "SessionStart":
            return ""
        if not is_kept:
            return _NOT_KEPT.format(self.root)
        count, last = journal.losses(self.root)
        if not count:
            return ""
        posix.utime(self.root + journal.UNKEPT)
        return _LOST.format(count, time.strftime("on %d %b at %H:%M", time.localtime(last)), self.root)
