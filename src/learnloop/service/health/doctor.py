"""The doctor: every check says whether it is well, and if not, what to do."""

import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from learnloop.errors import LearnloopError
from learnloop.models.base import Document
from learnloop.wire import clock, journal, paths

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

Level = Literal["ok", "warn", "fail"]
OLDEST_CLIENT = (2, 1, 47)
WEEK_MS = 7 * 86_400_000
_MIB = 1 << 20
_PROBE = '{"hook_event_name":"UserPromptSubmit","session_id":"doctor","prompt":"Is anybody there?","cwd":"/"}'


class Check(Document):
    """One thing looked at."""

    name: str
    level: Level
    message: str
    hint: str = ""
    """What to do about it."""


def examine(ws: "Workspace", *, fix: bool = False) -> list[Check]:
    """Every check, in the order in which things depend on each other; `fix` mends what is safe to mend."""
    return [check for look in CHECKS for check in _safely(look, ws, fix)]


def _safely(look: "Callable[[Workspace, bool], Iterable[Check]]", ws: "Workspace", fix: bool) -> list[Check]:
    """A check that fails itself is a finding like any other."""
    try:
        return list(look(ws, fix))
    except LearnloopError as error:
        return [_fail(look.__name__, error.message, error.hint)]
    except Exception as error:
        return [
            _fail(look.__name__, f"could not be looked at ({type(error).__name__}: {error})", "report this")
        ]


def settings(_ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """Whether the settings make sense."""
    from learnloop import settings as model

    model.load()
    path = paths.config_file()
    yield _ok("settings", path if Path(path).exists() else "all at their defaults")


def keys(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """Whether the console can use the keys that were set for it."""
    from learnloop.keymap import keymap

    found = keymap.resolved(ws.settings.keys)
    if not found.problems:
        changed = len(found.keys)
        yield _ok("keys", f"{changed} of your own" if changed else "the console's own")
    for problem in found.problems:
        yield _warn("keys", problem, f"change it in {paths.config_file()}, or learn config --unset KEY")


def folder(ws: "Workspace", fix: bool) -> Iterator[Check]:
    """Whether the data folder is there, writable, and nobody else's to read."""
    try:
        found = Path(ws.root).stat()
    except FileNotFoundError:
        yield _ok("folder", f"{ws.root} is made when something is first recorded")
        return
    if found.st_uid != os.getuid() or not os.access(ws.root, os.W_OK | os.X_OK):
        yield _fail(
            "folder", f"{ws.root} cannot be written", "give it back to yourself with chown and chmod 700"
        )
        return
    others = [
        path for path in (ws.root, *_folders(ws.root)) if stat.S_IMODE(Path(path).stat().st_mode) & 0o077
    ]
    if others and fix:
        for path in others:
            Path(path).chmod(paths.DIRECTORY_MODE)
        yield _ok("folder", f"{ws.root} was open to others and is closed now")
    elif others:
        yield _warn("folder", f"{others[0]} can be read by others", "learn doctor --fix closes it")
    else:
        yield _ok("folder", ws.root)


def disk(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """Whether there is room."""
    place = Path(ws.root)
    while not place.exists():
        place = place.parent
    room = os.statvfs(place)
    free = room.f_bavail * room.f_frsize
    if free < 16 * _MIB:
        yield _fail("disk", f"{free // 1024} KiB free", "make room: what agents do is not recorded otherwise")
    elif free < 200 * _MIB:
        yield _warn("disk", f"{free // _MIB} MiB free", "make room before it runs out")
    else:
        yield _ok("disk", f"{free // _MIB:,} MiB free")


def switches(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """Whether recording and recall are switched on."""
    from learnloop.service.health import health
    from learnloop.wire import env
    from learnloop.wire import switches as wire

    recording, recalling = health.switched(ws.root)
    if wire.is_set(paths.off_switch(ws.root)):
        yield _warn("switches", "recording and recall are switched off", "learn on switches them on")
    elif wire.is_set(paths.recall_off_switch(ws.root)):
        yield _warn("switches", "recall is switched off", "learn on --recall switches it on")
    elif env.is_on("LEARNLOOP_DISABLE"):
        yield _warn(
            "switches", "LEARNLOOP_DISABLE is set in this shell", "agents started from it are not recorded"
        )
    elif not recording:
        yield _warn("switches", "recording is off by the settings", "learn config record true switches it on")
    elif not recalling:
        yield _warn(
            "switches", "recall is off by settings or environment", "learn config recall true switches it on"
        )
    else:
        yield _ok("switches", "recording and recall are on")


def hooks(ws: "Workspace", fix: bool) -> Iterator[Check]:
    """Whether agents call us, and with today's command."""
    from learnloop.service.setup import install

    if fix:
        for one in install.installed(ws):
            if not one.current and not one.error and one.scope == "user":
                install.install(ws, host=one.host, scope=one.scope)
    found = install.installed(ws)
    if not found:
        yield _warn("hooks", "no agent calls Learnloop", "learn install registers the hooks")
    for one in found:
        if one.error:
            yield _fail("hooks", one.error, "mend the file, then learn install")
        elif one.current:
            yield _ok("hooks", f"registered in {one.path}")
        else:
            again = f"learn install --scope {one.scope} brings them up to date"
            yield _warn("hooks", f"those in {one.path} are not the ones of this version", again)


def copy(ws: "Workspace", fix: bool) -> Iterator[Check]:
    """Whether the deployed hook copy works: a prompt is played through it into a throw-away folder."""
    from learnloop.hosts import deploy

    home = Path(paths.hooks(ws.root))
    if not (home / "current").exists():
        if not fix:
            yield _warn("hook copy", "no hook code is deployed", "learn install deploys it")
            return
        deploy.ensure(ws.root)
    interpreter = deploy.interpreter()
    if not os.access(interpreter, os.X_OK):
        yield _fail("hook copy", f"{interpreter} is gone", "install Python again, then learn install")
        return
    took = _played(home)
    if took is None and fix:
        deploy.ensure(ws.root)
        took = _played(home)
    if took is None:
        yield _fail(
            "hook copy", "a prompt played through it was not recorded", "learn doctor --fix renews it"
        )
    else:
        yield _ok("hook copy", f"works: a prompt was recorded on trial in {took:.0f} ms")


def _played(home: Path) -> float | None:
    """How long the real command took for a prompt, in milliseconds; None where nothing was recorded."""
    from learnloop.hosts import deploy

    with tempfile.TemporaryDirectory(prefix="learnloop-doctor-") as trial:
        Path(trial, "hooks").symlink_to(home)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("LEARNLOOP_")}
        kept |= {"LEARNLOOP_BACKGROUND": "0"}
        kept.pop("CLAUDE_PROJECT_DIR", None)
        started = clock.now_ms()
        run = subprocess.run(
            deploy.command(trial, "claude"), shell=True, input=_PROBE, capture_output=True, text=True,
            timeout=20, env=kept, check=False,
        )  # fmt: skip
        took = clock.now_ms() - started
        written = Path(paths.journal(trial))
        worked = (
            run.returncode == 0 and not run.stderr and written.exists() and '"prompt"' in written.read_text()
        )
    return took if worked else None


def client(_ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """Whether Claude Code is new enough to call every hook."""
    found = shutil.which("claude")
    if not found:
        yield _ok("client", "Claude Code is not on the PATH here")
        return
    nested = {**os.environ, "LEARNLOOP_NESTED": "1"}
    run = subprocess.run(
        [found, "--version"], capture_output=True, text=True, timeout=20, env=nested, check=False,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    version = version_of(run.stdout)
    said = ".".join(map(str, version))
    if not version:
        yield _warn("client", f"{found} did not tell its version", "run claude --version yourself")
    elif version < OLDEST_CLIENT:
        oldest = ".".join(map(str, OLDEST_CLIENT))
        yield _warn(
            "client", f"Claude Code {said} is older than {oldest}", "claude update brings it up to date"
        )
    else:
        yield _ok("client", f"Claude Code {said}")


def version_of(text: str) -> tuple[int, ...]:
    """The version at the start of what `claude --version` says; () where there is none."""
    word = next(iter(text.split()), "")
    parts = word.split(".")
    return tuple(map(int, parts)) if len(parts) > 1 and all(part.isdigit() for part in parts) else ()


def recording(ws: "Workspace", fix: bool) -> Iterator[Check]:
    """Whether journal and spool are small and young, so that somebody ingests them."""
    from learnloop.service import workspace

    if fix:
        workspace.ingest(ws, wait_s=2.0)
    size = _size(paths.journal(ws.root))
    spooled = [path for place in _spools(ws.root) for path in Path(place).glob("*.jsonl")]
    if size > 32 * _MIB:
        yield _warn("journal", f"{size // _MIB} MiB wait to be ingested", "learn ingest takes them in")
    else:
        yield _ok("journal", f"{size // 1024} KiB wait to be ingested")
    if spooled:
        message = f"{len(spooled)} records wait in the spool: the journal could not be written for a while"
        yield _warn("spool", message, "learn ingest takes them in")
    else:
        yield _ok("spool", "empty")


def detector(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """Whether history was read by the present detector."""
    from learnloop.service.intake import analysis

    if analysis.is_outdated(ws):
        yield _warn("detector", analysis.REMARK, analysis.HINT)
    else:
        yield _ok("detector", "history was read by the present detector")


def capture(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """When something was last recorded."""
    from learnloop.service.health import health
    from learnloop.service.sessions import recent_events

    last = recent_events.last_capture(ws.root)
    if last is None:
        yield _warn("capture", "nothing was recorded yet", "type a prompt to your agent, then look again")
    elif clock.now_ms() - health.parse_ms(last) > WEEK_MS:
        yield _warn(
            "capture", f"the last record is from {health.ago(last)}", "start a new agent session, look again"
        )
    else:
        yield _ok("capture", f"the last record is from {health.ago(last)}")


def hook_errors(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """What hooks could not use in the last seven days, in their own words."""
    from learnloop.service.health import health
    from learnloop.service.sessions import recent_events

    found = recent_events.hook_errors(ws.root)
    if not found:
        yield _ok("hook errors", "none in the last 7 days")
        return
    for (event, error), ones in recent_events.grouped(found).items():
        times = f"{len(ones)}×, last {health.ago(ones[0].ts)}, {ones[0].size:,} bytes"
        yield _warn(
            "hook errors",
            f"{event or 'unknown event'}: {error} ({times})",
            "the agent was not disturbed; an update of Learnloop may be needed if it goes on",
        )


def index(ws: "Workspace", fix: bool) -> Iterator[Check]:
    """Whether hooks read the lessons that the store has."""
    from learnloop.service.health import health
    from learnloop.service.recall import explain

    if fix:
        explain.publish(ws, force=True)
    stored, published = health.generations(ws.root)
    if published is None and Path(paths.index(ws.root)).exists():
        yield _fail("index", "it cannot be read, so nothing is recalled", "learn doctor --fix writes it anew")
    elif published is None and not stored:
        yield _ok("index", "there is no lesson to recall yet")
    elif published != stored:
        message = f"agents get generation {published or 0}, the store is at {stored}"
        yield _warn("index", message, "learn doctor --fix publishes it")
    else:
        yield _ok("index", f"current, generation {stored}")


def prompt_files(ws: "Workspace", fix: bool) -> Iterator[Check]:
    """Whether every change of a prompt file is recorded, and stands as it was made."""
    from learnloop.service.patches import patches

    for line in patches.recover(ws) if fix else ():
        yield _ok("prompt files", f"{line}; that is recorded now")
    cut_off = patches.unfinished(ws)
    if cut_off:
        yield _fail(
            "prompt files", f"{cut_off} changes were cut off", "learn doctor --fix finds out what was written"
        )
        return
    astray = patches.astray(ws)
    for line in astray:
        yield _warn("prompt files", line, "learn patches show tells more, learn patches revert decides it")
    if not astray:
        yield _ok("prompt files", f"{patches.applied(ws)} blocks stand in prompt files")


def store(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """Whether every document can be read."""
    from learnloop.store.store import Store

    opened = Store(ws.root)
    lessons, decisions = len(opened.lessons()), opened.decisions()
    opened.sessions(limit=1), opened.turns(limit=1), opened.feedback(limit=1)
    damage = opened.damage()
    for line in damage:
        yield _warn("store", line, "what was kept aside can be looked at and then removed")
    if not damage:
        yield _ok("store", f"{lessons} lessons, {len(decisions)} decisions")


def quarantine(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """What could not be read and was kept aside."""
    from learnloop.store import quarantine as kept

    found = kept.listing(ws.root)
    for one in found[:10]:
        lines = "1 line" if one.lines == 1 else f"{one.lines} lines"
        message = f"{lines} of {one.source} ({one.reason}, {one.bytes:,} bytes)"
        yield _warn("quarantine", message, f"look at {paths.quarantine(ws.root)}/{one.name}, then remove it")
    if len(found) > 10:
        yield _warn("quarantine", f"and {len(found) - 10} more", f"all stand in {paths.quarantine(ws.root)}")
    if not found:
        yield _ok("quarantine", "empty")


def imports(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """What imports left out, and why."""
    from learnloop.service.intake import skipped

    found = skipped.listing(ws.root)
    for one in found:
        parts = "1 part" if one.count == 1 else f"{one.count} parts"
        more = "" if one.count == 1 else f", and {one.count - 1} more"
        message = f"{parts} of {one.path} left out ({one.at[:10]}): {one.brief(one.reasons[0])}{more}"
        yield _ok("imports", message)
    if not found:
        yield _ok("imports", "nothing was left out")


def silent(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """Whether CRITICAL lessons were told where they matter."""
    from learnloop.service.health import missed_recalls
    from learnloop.service.lessons import documents, rows

    found = missed_recalls.silent(rows.critical(ws), every=documents.lessons(ws.root))
    for one in found[:5]:
        times = "once" if one.times == 1 else f"{one.times} times"
        message = f"{one.short} stayed silent {times}, last {one.at[:10]} at {one.file}"
        hint = f"learn recall --explain at that file says why; learn gate {one.short} stops the call"
        yield _warn("silent lessons", message, hint)
    if not found:
        yield _ok("silent lessons", "every CRITICAL lesson was told where it mattered")


def log(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """Whether something failed in the background."""
    from learnloop.service.intake import skipped

    logs = (path for path in Path(paths.log(ws.root)).glob("*") if path.name != skipped.FILE)
    found = sorted(logs, key=lambda path: path.stat().st_mtime)
    young = [path for path in found if path.stat().st_mtime * 1000 > clock.now_ms() - WEEK_MS]
    if young:
        last = (young[-1].read_text("utf-8", "replace").strip().splitlines() or ["empty"])[-1]
        yield _warn("log", f"{young[-1].name}: {last[:200]}", f"the whole of it is {young[-1]}")
    else:
        yield _ok("log", "nothing failed in the last 7 days")


def priorities(ws: "Workspace", _fix: bool) -> Iterator[Check]:
    """Whether CRITICAL still means something: it is for what breaks production."""
    from learnloop.service.lessons import query

    share = query.critical_share(ws)
    if share is None:
        yield _ok("priorities", "CRITICAL is kept for few lessons")
        return
    critical, active = share
    yield _warn(
        "priorities",
        f"{critical} of {active} active lessons are CRITICAL ({critical * 100 // active} %, 30 % is a lot)",
        "lower those that do not keep production from breaking: learn edit ID --priority HIGH",
    )


CHECKS: "tuple[Callable[[Workspace, bool], Iterable[Check]], ...]" = (
    settings, keys, folder, disk, switches, hooks, copy, client, recording, capture, detector, hook_errors,
    store, index, priorities, silent, prompt_files, quarantine, imports, log,
)  # fmt: skip


def _ok(name: str, message: str) -> Check:
    return Check(name=name, level="ok", message=message)


def _warn(name: str, message: str, hint: str) -> Check:
    return Check(name=name, level="warn", message=message, hint=hint)


def _fail(name: str, message: str, hint: str) -> Check:
    return Check(name=name, level="fail", message=message, hint=hint)


def _folders(root: str) -> list[str]:
    places = (paths.events, paths.store, paths.quarantine, paths.backups, paths.log, paths.spool)
    return [place(root) for place in places if Path(place(root)).is_dir()]


def _spools(root: str) -> Iterator[str]:
    yield paths.spool(root)
    if journal.runtime_spool(root):
        yield journal.runtime_spool(root)


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
