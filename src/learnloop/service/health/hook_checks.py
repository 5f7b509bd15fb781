"""The doctor's checks of the hooks: switches, registration, the deployed copy, what arrives."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from learnloop.service.health.check import WEEK_MS, Check, fail, ok, warn
from learnloop.service.health.quick_status import ago
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, paths

_PROBE = '{"hook_event_name":"UserPromptSubmit","session_id":"doctor","prompt":"Is anybody there?","cwd":"/"}'


def switches(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """What keeps the current project from being recorded, or its agents from being told lessons."""
    from learnloop.service import silences
    from learnloop.wire import project

    reasons = silences.of(ws.root, project.find(os.getcwd()))  # noqa: PTH109
    yield from (warn(silence.why, silence.way_out) for silence in reasons)
    if not reasons:
        yield ok("recording and recall are on")


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
    from learnloop.hosts import deploy

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
    from learnloop.hosts import deploy

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

    last = recent_events.last_capture(ws.root)
    if last is None:
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

    hook_errors = recent_events.hook_errors(ws.root)
    if not hook_errors:
        yield ok("none in the last 7 days")
        return
    for (event, error), same in recent_events.group_errors(hook_errors).items():
        times = f"{len(same)}×, last {ago(same[0].ts)}, {same[0].size:,} bytes"
        yield warn(
            f"{event or 'unknown event'}: {error} ({times})",
            "the agent was not disturbed; an update of Learnloop may be needed if it happens again",
        )
