"""Register the hooks with an agent, and remove them again."""

import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from learnloop.errors import Busy, LearnloopError, Refused
from learnloop.hosts import client, config_file, deny_rules, deploy, git_index, hook_settings, register
from learnloop.hosts.config_file import ConfigFile
from learnloop.hosts.host import Host
from learnloop.hosts.register import Registration
from learnloop.patch import prompt_files
from learnloop.service import hosts
from learnloop.service.workspace import Workspace
from learnloop.store import seal
from learnloop.wire import paths

NOT_RUN = "its hooks were built from documents, and no test ran them against the real program"


@dataclass(frozen=True)
class InstallReport:
    """What was done to a settings file."""

    path: str
    changed: bool
    diff: str = ""
    plan: tuple[str, ...] = ()
    """What an install would change, in sentences."""
    messages: tuple[str, ...] = ()
    backup: str = ""
    """The path of a copy of the file before."""


@dataclass(frozen=True)
class Installation:
    """Learnloop's hooks in one settings file."""

    path: str
    host: str
    scope: str
    events: tuple[str, ...]
    current: bool
    """Whether each event is there once, with the command of this program, in the file that the host reads."""
    error: str = ""
    shadowed_by: str = ""
    """The file that the host reads instead."""
    not_run: bool = False
    """Whether the hooks were built from documents alone."""


def hook_command(ws: Workspace, host: str = "claude") -> str:
    """Deploy the hook copy and return the command line that an agent runs; Refused for another host."""
    hosts.host(host)
    _deploy(ws)
    return deploy.command(ws.root, host)


def plugin_folder() -> str:
    """The folder of the plugin with commands for Claude Code; empty where the installation has none."""
    return str(deploy.plugin_folder() or "")


def refresh(ws: Workspace) -> list[str]:
    """Bring deployed hooks up to this program and its interpreter; returns what the latter changed.

    Does nothing where hooks were never installed.
    """
    if not register.path_of(ws.root).exists() and not os.path.lexists(paths.hooks(ws.root) + "/current"):
        return []
    before, changes = deploy.python_of(ws.root), _moved_here(ws)
    with suppress(OSError, Busy):  # a full or read-only disk: the program works on, doctor reports it
        deploy.ensure(ws.root)
    if before not in ("", now := deploy.python_of(ws.root)):
        changes.append(f"The hook code is made for Python {now} now; it was for {before}.")
    return changes


def _moved_here(ws: Workspace) -> list[str]:
    """Let hooks that nobody changed run with this program's interpreter; returns what was changed."""
    changes = []
    for path, entry in register.load(ws.root).items():
        if entry.python not in ("", deploy.interpreter()):
            with suppress(OSError, LearnloopError):  # as for an agent that runs this: doctor reports it
                changes += _move(ws, Path(path), entry)
    return changes


def _move(ws: Workspace, path: Path, entry: Registration) -> list[str]:
    host, project = hosts.host(entry.host), str(path.parents[1])
    before = host.groups(deploy.command(ws.root, host.name, entry.python))
    ours = _ours(_settings(path, entry.scope), host.under(path))
    if host.path_of(entry.scope, project) != path or ours != {
        name: [group] for name, group in before.items()
    }:
        return []
    install(ws, host.name, entry.scope, project)
    asks = f"; {host.title} runs no changed hook by itself: {host.approval}" if host.approval else ""
    return [f"The hooks in {path} run {deploy.interpreter()} now, not {entry.python}{asks}."]


def install(
    ws: Workspace, host: str = "claude", scope: str = "user", project: str | None = None,
    dry_run: bool = False, deny: bool = False,
) -> InstallReport:  # fmt: skip
    """Register the hooks in a settings file of the person's own.

    With `deny` also the client's own rules that keep agents from Learnloop's files and verdicts.
    Raises Unreadable, with nothing changed, for a file that cannot be parsed; Refused for one that cannot be
    written or is committed to a repository, and for another host.
    """
    _refuse_agents("install hooks")
    client_of = hosts.host(host)
    file = _settings(client_of.path_of(scope, project), scope)
    if deny and client_of.name != "claude":
        raise Refused(f"{client_of.title} has no deny rules of ours", "install without --deny-rules")
    if scope == "local" and file.raw is not None and git_index.is_tracked(file.path):
        hint = "use --scope user, or take the file out of git"
        raise Refused(f"{file.path} is committed to the repository", hint)
    with file.explained():
        new_rules = deny_rules.missing(file.text, deny_rules.rules(ws.root)) if deny else ()
        edited = _with_hooks(ws, client_of, file, new_rules)
    messages, changed = _messages(client_of), edited != file.raw
    if dry_run or not changed:
        if not dry_run:
            _deploy(ws)
        return InstallReport(
            str(file.path), changed, file.diff(edited), _plan(ws, client_of, file, new_rules), messages
        )
    _deploy(ws)
    with register.changing(ws.root) as entries:
        if client_of.is_shadowed:
            _take_out(ws, config_file.read(client_of.home / client_of.settings), client_of, entries)
        backup, under = file.back_up(ws.root), client_of.under(file.path)
        entry = _entry(entries.get(str(file.path)), file, edited, backup, Registration(host, scope), under)
        if new_rules:
            came_along = (*entry.deny_lists, *deny_rules.lacking(file.text))
            entry = replace(entry, deny=(*entry.deny, *new_rules), deny_lists=came_along)
        file.replace(edited)
        entries[str(file.path)] = entry
    return InstallReport(str(file.path), True, file.diff(edited), (), messages, _full(ws, backup))


def _with_hooks(ws: Workspace, host: Host, file: ConfigFile, new_rules: Sequence[str]) -> bytes:
    groups = host.groups(deploy.command(ws.root, host.name))
    text = hook_settings.with_hooks(file.text, groups, host.under(file.path), host.new)
    return file.encoded(deny_rules.with_rules(text, new_rules) if new_rules else text)


def _plan(ws: Workspace, host: Host, file: ConfigFile, new_rules: Sequence[str]) -> tuple[str, ...]:
    rules = f" But {len(new_rules)} rules that deny agents Learnloop's files are added." if new_rules else ""
    backup = f"The file as it is would be kept in {paths.backups(ws.root)}."
    return (
        f"Would add {len(host.events)} hooks to {file.path}:",
        f"  {', '.join(host.events)}",
        f"Each runs one local script, {paths.hooks(ws.root)}/current, with {deploy.interpreter()}.",
        f"Nothing is sent anywhere, and nothing else in the file changes.{rules}",
        backup if file.raw is not None else "The file does not exist yet.",
    )


def uninstall(
    ws: Workspace, host: str = "claude", scope: str = "user", project: str | None = None,
    dry_run: bool = False,
) -> InstallReport:  # fmt: skip
    """Remove hooks and deny rules: the file becomes what it would have been without; raises as `install`."""
    _refuse_agents("take hooks out")
    client_of = hosts.host(host)
    file = _settings(client_of.path_of(scope, project), scope)
    if client_of.is_shadowed and not _ours(file, client_of.under(file.path)):
        file = _settings(client_of.home / client_of.settings, scope)
    if not _ours(file, client_of.under(file.path)):
        return InstallReport(str(file.path), False, messages=(f"no hooks of ours in {file.path}",))
    if dry_run:
        restored = _restored(ws, file, client_of, register.load(ws.root).get(str(file.path)))
        return InstallReport(str(file.path), True, file.diff(restored))
    with register.changing(ws.root) as entries:
        return _take_out(ws, file, client_of, entries)


def _take_out(ws: Workspace, file: ConfigFile, host: Host, entries: dict[str, Registration]) -> InstallReport:
    """Take our hooks out of a file, if there are any, and the file out of the register."""
    entry = entries.pop(str(file.path), None)
    if not _ours(file, host.under(file.path)):
        return InstallReport(str(file.path), False)
    restored, backup = _restored(ws, file, host, entry), file.back_up(ws.root)
    _put_back(file, restored, entry)
    return InstallReport(str(file.path), True, file.diff(restored), backup=_full(ws, backup))


def present() -> list[str]:
    """The hosts on this machine, by name: with a program on the path, or a folder of the person's."""
    return [host.name for host in hosts.HOSTS if shutil.which(host.program) or host.home.is_dir()]


def installed(ws: Workspace) -> list[Installation]:
    """Every installation of the hooks: in the user's settings files, and in files that `install` changed."""
    registrations = register.load(ws.root)
    for host in hosts.HOSTS:
        registrations.setdefault(str(host.path_of("user", None)), Registration(host.name))
    every = (_installation(ws, Path(path), entry) for path, entry in sorted(registrations.items()))
    return [installation for installation in every if installation is not None]


def hook_state(ws: Workspace) -> dict[str, Any]:
    """`hooked`: an agent calls the hooks; `taken_out`: hooks were registered here, and are no more."""
    is_hooked = not all(file.error for file in installed(ws))
    return {"hooked": is_hooked, "taken_out": not is_hooked and register.path_of(ws.root).exists()}


def calling(project: str) -> list[str]:
    """The settings files whose hooks an event in a project calls, each as often as it calls them."""
    return [
        path for path, settings in client.read(project) for _ in range(hook_settings.most_calls(settings))
    ]


def _refuse_agents(what: str) -> None:
    from learnloop.service.review import agent_guard  # with the models behind it, which status does not need

    agent_guard.refuse(what)


def _deploy(ws: Workspace) -> None:
    try:
        deploy.ensure(ws.root)
        seal.ensure(ws.root)  # with which hooks seal prompts
        register.path_of(ws.root).touch(paths.FILE_MODE)
    except OSError as error:
        raise Refused(f"cannot write the hook code below {ws.root}", error.strerror or str(error)) from error


def _full(ws: Workspace, backup: str) -> str:
    return f"{paths.backups(ws.root)}/{backup}" if backup else ""


def _messages(host: Host) -> tuple[str, ...]:
    messages = client.remarks(host)
    if host.not_run:
        messages.append(f"{host.title}: {NOT_RUN}")
    if host.approval:
        messages.append(f"{host.title} runs no new hook by itself: {host.approval}")
    if sys.platform == "win32":
        messages.append("native Windows is not supported: install and use Learnloop inside WSL")
    if host.is_off:
        messages.append(
            f'"{host.off[1]}" in {host.home / host.off[0]} switches all hooks of {host.title} off'
        )
    return tuple(messages)


def _settings(path: Path, scope: str) -> ConfigFile:
    """The settings file of a scope; that of a project lies in a folder that somebody else may have made."""
    return config_file.read(path, path.parents[1] if scope == "local" else None)


def _ours(file: ConfigFile, under: str) -> dict[str, list[Any]]:
    """Learnloop's hook groups in a file, by event; raises Unreadable where it is no settings file."""
    with file.explained():
        return hook_settings.installed(file.text, under)


def _entry(
    earlier: Registration | None, file: ConfigFile, edited: bytes, backup: str, new: Registration,
    under: str,
) -> Registration:  # fmt: skip
    """How to undo an installation; one that only renews an earlier one keeps its notes."""
    had_hooks = bool(_ours(file, under))
    if earlier is not None and had_hooks:
        is_untouched = prompt_files.sha256(file.raw or b"") == earlier.after
        return replace(
            earlier, python=deploy.interpreter(), backup=earlier.backup if is_untouched else "",
            after=prompt_files.sha256(edited),
        )  # fmt: skip
    events = hook_settings.events_in(file.text, under)
    return replace(
        new, python=deploy.interpreter(), existed=file.raw is not None, backup="" if had_hooks else backup,
        after=prompt_files.sha256(edited), hooks=events is not None, events=events or (),
        folders=tuple(str(parent) for parent in file.path.parents if not parent.exists()),
    )  # fmt: skip


def _restored(ws: Workspace, file: ConfigFile, host: Host, entry: Registration | None) -> bytes | None:
    """The file without the hooks; None where there would be no file."""
    if entry and prompt_files.sha256(file.raw or b"") == entry.after:
        if not entry.existed:
            return None
        before = config_file.read(Path(_full(ws, entry.backup))).raw if entry.backup else None
        if before is not None:
            return before
    events = entry.events if entry and entry.hooks else None
    bare = hook_settings.without_hooks(file.text, events, host.under(file.path))
    if entry and entry.deny:
        bare = deny_rules.without_rules(bare, entry.deny, entry.deny_lists)
    is_ours = hook_settings.is_ours(file.text) or (entry is not None and not entry.existed)
    return None if is_ours and hook_settings.is_empty(bare) else file.encoded(bare)


def _put_back(file: ConfigFile, restored: bytes | None, entry: Registration | None) -> None:
    if restored is not None:
        file.replace(restored)
        return
    file.remove()
    for folder in entry.folders if entry else ():
        try:
            Path(folder).rmdir()
        except OSError:  # something else is in it
            return


def _installation(ws: Workspace, path: Path, entry: Registration) -> Installation | None:
    host = hosts.host(entry.host)
    try:
        ours = _ours(_settings(path, entry.scope), host.under(path))
    except LearnloopError as error:
        return Installation(str(path), entry.host, entry.scope, (), False, str(error))
    if not ours:
        return None
    group_by_event = host.groups(deploy.command(ws.root, entry.host))
    read = host.path_of("user", None) if entry.scope == "user" and host.is_shadowed else path
    current = ours == {event: [group] for event, group in group_by_event.items()} and read == path
    other = "" if read == path else str(read)
    return Installation(str(path), entry.host, entry.scope, tuple(ours), current, "", other, host.not_run)
