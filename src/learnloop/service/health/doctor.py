"""The doctor runs every check and reports what is wrong and what to do."""

import json
import os
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from learnloop.errors import LearnloopError
from learnloop.hosts import deploy
from learnloop.service import silences
from learnloop.service.health import store_checks
from learnloop.service.health.check import WEEK_MS, Check, Row, fail, ok, warn
from learnloop.service.health.quick_status import ago
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, env, paths, regular

_MIB, _FEW_FILES = 1 << 20, 200
_ASKED = 0o677  # a folder may be entered, which says nothing of a file
_SUFFIXES = (".json", ".jsonl", ".fold", ".lock", ".key", ".head", ".log")


def folder(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether the data folder is writable and closed to others."""
    try:
        owner = Path(ws.root).stat().st_uid
    except FileNotFoundError:
        yield ok(f"{ws.root} is made when something is first recorded")
        return
    if owner != os.getuid() or not os.access(ws.root, os.W_OK | os.X_OK):
        yield fail(f"{ws.root} cannot be written", "give it back to yourself with chown and chmod 700")
        return
    everything = [Path(ws.root), *Path(ws.root).rglob("*")]
    for path in filter(_is_odd, everything[1:]):
        yield fail(f"{path} is no regular file, or far too large", "look at it, then move it away")
    exposed = list(filter(_is_exposed, everything))
    for path in exposed if fix else ():
        path.chmod(paths.DIRECTORY_MODE if path.is_dir() else paths.FILE_MODE)
    if exposed and fix:
        yield ok(f"{_exposed(exposed)} open to you alone now")
    elif exposed:
        yield warn(f"{_exposed(exposed)} not open to you alone", "learn doctor --fix mends that")
    else:
        yield ok(ws.root)


def _is_odd(path: Path) -> bool:
    """Whether a path is neither folder nor file, a folder with the name of a file, or far too large."""
    try:
        status = path.lstat()
    except OSError:  # removed meanwhile
        return False
    if stat.S_ISDIR(status.st_mode):
        return path.suffix in _SUFFIXES
    is_file = stat.S_ISREG(status.st_mode) and status.st_size <= regular.LARGEST
    return not is_file and path.name != deploy.CURRENT


def _is_exposed(path: Path) -> bool:
    try:
        mode = path.lstat().st_mode
    except OSError:  # removed meanwhile
        return False
    return not stat.S_ISLNK(mode) and mode & _ASKED != paths.FILE_MODE


def _exposed(paths_: list[Path]) -> str:
    return str(paths_[0]) + (f" and {len(paths_) - 1} more are" if len(paths_) > 1 else " is")


def disk(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the disk has room."""
    place = Path(ws.root)
    while not place.exists():
        place = place.parent
    free, names = silences.room(place)
    if free < 16 * _MIB:
        yield fail(f"{free // 1024} KiB free", silences.MAKE_ROOM)
    elif names < _FEW_FILES:
        yield fail(f"room for {names} more files (inodes)", silences.MAKE_ROOM)
    elif free < 200 * _MIB:
        yield warn(f"{free // _MIB} MiB free", "make room before it runs out")
    else:
        yield ok(f"{free // _MIB:,} MiB free")


def client(_ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether each agent on this machine is new enough to call every hook."""
    from learnloop.hosts import client
    from learnloop.service import hosts

    present = [host for host in hosts.HOSTS if shutil.which(host.program)]
    for host in present:
        version = client.version(host.program)
        if version is None:
            yield warn(f"{host.program} did not report its version", f"run {host.program} --version yourself")
        elif version < host.oldest:
            older = f"{host.title} {client.dotted(version)} is older than {client.dotted(host.oldest)}"
            yield warn(older, "update it")
        else:
            yield ok(f"{host.title} {client.dotted(version)}")


def log(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether something failed in the background lately."""
    newest = max(Path(paths.log(ws.root)).glob("*.log"), key=lambda path: path.stat().st_mtime, default=None)
    if newest is None or newest.stat().st_mtime * 1000 <= clock.now_ms() - WEEK_MS:
        return
    last = (regular.content(str(newest)).decode("utf-8", "replace").strip().splitlines() or ["empty"])[-1]
    yield warn(f"{newest.name}: {last[:200]}", f"the whole of it is {newest}")


_MOST_BYTES = 1 << 20


def settings(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the settings can be read, and whether there are others that do not count."""
    yield from _log_folder(ws, _fix)
    path = paths.config_file()
    is_there = Path(path).exists()
    yield ok(path if is_there else "all at their defaults")
    configured = env.get("XDG_CONFIG_HOME") or paths.home() + "/.config"
    others = (f"{ws.root}/config.toml", *(() if is_there else (f"{configured}/learnloop/config.toml",)))
    for other in others:
        if other != path and os.path.lexists(other):
            yield warn(f"{other} does not count", f"move what you want of it to {path}")


def _log_folder(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether there is the folder that logs are copied to, where a person named one."""
    folder = ws.settings.log.folder
    if folder and not Path(folder).expanduser().is_dir():
        yield warn(f"{folder} is not there, so logs are not copied", "make it or change log.folder")


def keys(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the console can use the person's own keys."""
    from learnloop.keymap import keymap

    resolved = keymap.resolved(ws.settings.keys)
    if not resolved.problems:
        changed = len(resolved.keys)
        yield ok(f"{changed} of your own" if changed else "the console's own")
    for problem in resolved.problems:
        yield warn(problem, f"change it in {paths.config_file()}, or learn config --unset KEY")


def redaction(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether hooks remove the person's own words and patterns, and each of them can match."""
    extras, in_hooks = ws.settings.redaction.extras, _extras_in_hooks(ws.root)
    unknown = [extra for extra in extras if extra not in in_hooks]
    if unknown:
        message = f"hooks do not know {len(unknown)} of {len(extras)} extras: they read the file alone"
        yield warn(message, f"put them into {paths.config_file()} as redaction.extras")
    for extra in extras:
        if not extra.isprintable():
            way_out = "in TOML write a pattern in single quotes: '\\bword'"
            yield warn(f"{extra!r} has a control character, so it matches nothing", way_out)
    if not unknown and all(map(str.isprintable, extras)):
        yield ok(f"{len(extras)} of your own" if extras else "the built-in rules")


def _reading(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the model that reads along can be asked, and what is not switched off of its command."""
    from learnloop.distill import model_clients
    from learnloop.service.facts.reading_status import reading_status

    status, command = reading_status(ws), ws.settings.facts.command
    if not status.turns and not any(mode != "off" for mode in status.projects.values()):
        return
    model_clients.chosen(command)
    if command:
        message = f"{command[0]} may run hooks and tools of its own: only Claude Code is shielded whole"
        yield warn(message, "give it the options that switch them off, in facts.command")
    if status.rests:
        yield warn(status.rests, "see: learn facts runs")
    yield ok(status.words)


def _extras_in_hooks(root: str) -> list[str]:
    try:
        stored = json.loads(regular.read(paths.redaction(root), _MOST_BYTES))
    except (OSError, ValueError):
        return []
    return stored if isinstance(stored, list) else []


_PROBE = '{"hook_event_name":"UserPromptSubmit","session_id":"doctor","prompt":"Is anybody there?","cwd":"/"}'


def switches(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """What keeps the current project from being recorded, or its agents from being told lessons."""
    from learnloop.service import silences
    from learnloop.wire import project

    reasons = silences.of(ws.root, project.find(os.getcwd()))  # noqa: PTH109
    yield from (warn(silence.why, silence.way_out) for silence in reasons)


def registration(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether agents call the hooks with the command of this version."""
    from learnloop.service.setup import install

    if fix:
        for installation in install.installed(ws):
            if not installation.current and not installation.error:
                project = str(Path(installation.path).parents[1])
                install.install(ws, host=installation.host, scope=installation.scope, project=project)
    installations = install.installed(ws)
    if not installations:
        yield warn("no agent calls Learnloop", "learn install registers the hooks")
    for installation in installations:
        if installation.error:
            yield fail(installation.error, "mend the file, then learn install")
        elif installation.shadowed_by:
            again = f"learn install --host {installation.host} moves them"
            yield warn(f"{installation.path} is not read beside {installation.shadowed_by}", again)
        elif installation.current:
            mark = f" (not run: {install.NOT_RUN})" if installation.not_run else ""
            yield ok(f"registered in {installation.path}{mark}")
        else:
            again = f"learn install --scope {installation.scope} brings them up to date"
            yield warn(f"those in {installation.path} are not the ones of this version", again)


def once(_ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether an event in the current project calls the hooks once."""
    from learnloop.service import hosts
    from learnloop.service.setup import install
    from learnloop.wire import project

    here = project.find(os.getcwd())  # noqa: PTH109
    files = install.calling(here)
    if len(files) > 1:
        message = f"an event here calls them {len(files)}×: {', '.join(dict.fromkeys(files))}"
        yield warn(message, "learn uninstall --scope local takes those of this project out")
    else:
        yield ok("an event here calls them once" if files else "no event here calls them")
    for host in hosts.HOSTS:
        plugins = host.plugins(here)
        if len(plugins) > 1:
            places = ", ".join(map(str, plugins))
            yield warn(f"{host.title} loads our plugin {len(plugins)}×: {places}", "remove all but one")


def copy(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether the deployed hook copy is unaltered, and works: it records a prompt in a temporary folder."""
    home = Path(paths.hooks(ws.root))
    if not (home / "current").exists():
        if not fix:
            yield warn("no hook code is deployed", "learn install deploys it")
            return
        deploy.ensure(ws.root)
    interpreter = deploy.interpreter()
    if not os.access(interpreter, os.X_OK):
        yield fail(f"{interpreter} is gone", "install Python again, then learn install")
        return
    altered = home / deploy.ALTERED
    if fix:
        altered.unlink(missing_ok=True)
    if altered.exists():
        yield fail(
            "its files were not those that were deployed", "they are renewed; learn doctor --fix forgets it"
        )
    took_ms = _trial_ms(home)
    if took_ms is None and fix:
        deploy.ensure(ws.root)
        took_ms = _trial_ms(home)
    if took_ms is None:
        yield fail("a prompt played through it was not recorded", "learn doctor --fix renews it")
    else:
        yield ok(f"works: a prompt was recorded on trial in {took_ms:.0f} ms")


def _trial_ms(home: Path) -> float | None:
    """How long the real command took for a prompt, milliseconds; None where it recorded nothing."""
    with tempfile.TemporaryDirectory(prefix="learnloop-doctor-") as trial:
        Path(trial, "hooks").symlink_to(home)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("LEARNLOOP_")}
        environment |= {"LEARNLOOP_BACKGROUND": "0"}
        environment.pop("CLAUDE_PROJECT_DIR", None)
        started = clock.now_ms()
        run = subprocess.run(
            deploy.command(trial, "claude"), shell=True, input=_PROBE, capture_output=True, text=True,
            timeout=20, env=environment, check=False,
        )  # fmt: skip
        took_ms = clock.now_ms() - started
        journal = Path(paths.journal(trial))
        is_recorded = journal.exists() and '"prompt"' in journal.read_text()
    return took_ms if run.returncode == 0 and not run.stderr and is_recorded else None


def capture(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """When an event was last recorded."""
    from learnloop.service.sessions import recent_events
    from learnloop.service.setup import install

    last = recent_events.last_capture(ws.root)
    if last is None and not install.installed(ws):
        yield ok("nothing can arrive before hooks are installed")
    elif last is None:
        yield warn("nothing was recorded yet", "type a prompt to your agent, then look again")
    elif clock.now_ms() - clock.parse_ms(last) > WEEK_MS:
        yield warn(f"the last record is from {ago(last)}", "start a new agent session, look again")
    else:
        yield ok(f"the last record is from {ago(last)}")
    yield from _silent_hosts(ws)


def _silent_hosts(ws: Workspace) -> Iterator[Check]:
    """The agents that have our hooks and never called them, where others did."""
    from learnloop.service import hosts
    from learnloop.service.sessions import recent_events
    from learnloop.service.setup import install
    from learnloop.store.store import Store
    from learnloop.wire.hosts import CLAUDE

    heard = {event.get("host") for event in recent_events.recent(ws.root)}
    heard |= {session.host for session in Store(ws.root).sessions()}
    installed = dict.fromkeys(each.host for each in install.installed(ws))
    for host in map(hosts.host, installed):
        if host.is_off and host.name != CLAUDE:  # whose settings `switches` reads, of projects too
            way_out = f"look at {host.off[1]} in {host.home / host.off[0]}"
            yield warn(f"{host.title}'s own settings switch all hooks off", way_out)
        elif heard and host.name not in heard:
            yield warn(f"{host.title} never called its hooks", host.approval or "start a new session with it")


def errors(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Errors that hooks reported in the last seven days, one result per event and message."""
    from learnloop.service.sessions import recent_events

    for (event, error), same in recent_events.group_errors(recent_events.hook_errors(ws.root)).items():
        times = f"{len(same)}×, last {ago(same[0].ts)}, {same[0].size:,} bytes"
        yield warn(
            f"{event or 'unknown event'}: {error} ({times})",
            "the agent was not disturbed; an update of Learnloop may be needed if it happens again",
        )


CHECKS = (
    Row("settings", settings), Row("keys", keys), Row("redaction", redaction), Row("folder", folder),
    Row("disk", disk), Row("hooks", registration),
    Row("switches", switches, "recording and recall are on"), Row("hooks once", once), Row("hook code", copy),
    Row("client", client, "no agent is on the PATH here"), Row("journal", store_checks.journal),
    Row("spool", store_checks.spool, "empty"),
    Row("clock", store_checks.clock_ahead, "agrees with what is stored"), Row("capture", capture),
    Row("detector", store_checks.detector, "history was read by the present detector"),
    Row("hook errors", errors, "none in the last 7 days"), Row("store", store_checks.documents),
    Row("decisions", store_checks.decisions, "the chain is whole"),
    Row("index", store_checks.index, "current"), Row("history", store_checks.history),
    Row("earlier tasks", store_checks.earlier),
    Row("vectors", store_checks.vectors, "no model is named"), Row("trust", store_checks.trusted_files),
    Row("team", store_checks.team, "this machine is in none"),
    Row("priorities", store_checks.priorities, "CRITICAL is kept for few lessons"),
    Row("missed lessons", store_checks.silent),
    Row("ignored lessons", store_checks.ignored, "no lesson is told and ignored again and again"),
    Row("strict checks", store_checks.strict, "no check stops what you order"),
    Row("own commands", store_checks.own_commands),
    Row("newer checks", store_checks.newer_checks, "every check is known here"),
    Row("session starts", store_checks.starts), Row("prompt files", store_checks.prompt_files),
    Row("reading along", _reading, "no model reads along"),
    Row("quarantine", store_checks.quarantine, "empty"), Row("log", log, "nothing failed in the last 7 days"),
)  # fmt: skip
"""The checks, in the order in which they depend on each other."""

_OF_SETTINGS = {"log.folder": Row("", _log_folder), "vectors.model": Row("", store_checks.vectors)}
"""What looks at the thing that a setting names."""


def problems_of(ws: Workspace, key: str) -> list[Check]:
    """What is wrong with the thing that a setting names, if it names any."""
    row = _OF_SETTINGS.get(key)
    return [check for check in _results(row, ws, fix=False) if check.level != "ok"] if row else []


def examine(ws: Workspace, *, fix: bool = False) -> list[Check]:
    """Run every check; `fix` repairs what is safe to repair."""
    return [
        check.model_copy(update={"name": row.name}) for row in CHECKS for check in _results(row, ws, fix=fix)
    ]


def _results(row: Row, ws: Workspace, *, fix: bool) -> list[Check]:
    """The results of a check; an exception becomes a failure of that check alone."""
    try:
        return list(row.test(ws, fix)) or [ok(row.fine)] * bool(row.fine)
    except LearnloopError as error:
        return [fail(error.message, error.hint)]
    except OSError as error:
        return [fail(f"{error.filename}: {error.strerror}", "look at it, then move it away")]
    except Exception as error:
        return [fail(f"could not be checked ({type(error).__name__}: {error})", "report this")]
