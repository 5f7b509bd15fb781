"""Faults made with real files: the line of `learn doctor` that names each, and what `--fix` does."""

import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from learnloop.cli.main import main
from learnloop.hosts import deploy
from learnloop.service.lessons import rows
from learnloop.service.review import verdicts
from learnloop.service.setup import install, settings_file
from learnloop.service.workspace import Workspace, ingest
from learnloop.wire import clock, event, journal, paths
from tests.store.small_stores import workspace

DAY_MS = 86_400_000


class Fault(NamedTuple):
    """A fault, the check and the words that name it, and whether `--fix` mends it."""

    make: Callable[[Workspace], object]
    check: str
    words: str
    is_mended: bool = False


def _record(kind: str = "prompt", age_ms: int = 0, **payload: object) -> dict[str, object]:
    return event.record(
        kind, host="claude", session_id="s", cwd="/p", project="/p", payload=payload,
        ts_ms=clock.now_ms() - age_ms,
    )  # fmt: skip


def _alter(ws: Workspace, name: str) -> None:
    """Let the hooks miss the calls of agents, in a copy of the hook code that other tests do not share."""
    folder = Path(paths.hooks(ws.root))
    shared = folder.resolve()
    if folder.is_symlink():
        folder.unlink()
        shutil.copytree(shared, folder, symlinks=True)
    file = folder / "current" / name
    file.write_bytes(file.read_bytes().replace(b"PostToolBatch", b"PostToolBatcX"))


def _write(path: str | Path, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text)


def _client(scope: str = "user") -> Path:
    folder = Path.home() if scope == "user" else Path.cwd()
    return folder / ".claude" / ("settings.json" if scope == "user" else "settings.local.json")


def _change_hooks(change: Callable[[dict[str, list[object]]], object]) -> None:
    settings = json.loads(_client().read_text())
    change(settings["hooks"])
    _write(_client(), json.dumps(settings))


def _another_scope(ws: Workspace) -> None:
    install.install(ws, scope="local")


def _codex_off(ws: Workspace) -> None:
    install.install(ws, "codex")
    _write(Path.home() / ".codex" / "config.toml", "[features]\nhooks = false\n")


def _old_client(_ws: Workspace) -> None:
    program = Path.home() / "bin" / "claude"
    _write(program, "#!/bin/sh\necho 2.1.40")
    program.chmod(0o755)


def _spooled(ws: Workspace) -> None:
    record = _record(prompt="x")
    paths.ensure_dir(paths.spool(ws.root))
    Path(paths.spool(ws.root), f"{record['id']}.jsonl").write_bytes(journal.frame([record]))


def _old_index(ws: Workspace) -> None:
    earlier = Path(paths.index(ws.root)).read_bytes()
    verdicts.add(ws, "Tabs are for Go.")
    Path(paths.index(ws.root)).write_bytes(earlier)
    minutes_ago = time.time() - 300
    for at, name in enumerate((f"{paths.index(ws.root)}.known", f"{paths.store(ws.root)}/lessons.json")):
        os.utime(name, (minutes_ago + at,) * 2)


def _client_settings(**settings: object) -> Callable[[Workspace], object]:
    def change(_ws: Workspace) -> None:
        _write(_client(), json.dumps({**json.loads(_client().read_text()), **settings}))

    return change


def _moved_interpreter(scope: str) -> Callable[[Workspace], object]:
    def change(ws: Workspace) -> None:
        path = Path(install.install(ws, scope=scope, project=str(Path.cwd())).path)
        if scope == "local":
            install.uninstall(ws)
        path.write_text(path.read_text().replace(deploy.interpreter(), "/gone/python"))

    return change


FAULTS = {
    "settings with an unknown key": Fault(
        lambda _ws: _write(paths.config_file(), "quue_size = 3"), "settings", "unknown key 'quue_size'"
    ),
    "settings where they do not count": Fault(
        lambda _ws: _write(Path.home() / ".config/learnloop/config.toml", "record = false"),
        "settings", "learnloop/config.toml does not count",
    ),
    "a key that is no command's": Fault(
        lambda _ws: _write(paths.config_file(), 'keys = {fly = "u"}'), "keys", "fly"
    ),
    "an extra with a control character": Fault(
        lambda _ws: _write(paths.config_file(), 'redaction.extras = ["\\bACME"]'),
        "redaction", "matches nothing",
    ),
    "an extra that hooks do not know": Fault(
        lambda _ws: os.environ.update(LEARNLOOP_REDACTION_EXTRAS='["ACME-[0-9]+"]'),
        "redaction", "hooks do not know 1 of 1",
    ),
    "a folder open to others": Fault(
        lambda ws: Path(ws.root).chmod(0o755), "folder", "not open to you alone", True
    ),
    "files open to others": Fault(
        lambda ws: Path(paths.store(ws.root), "lessons.json").chmod(0o644),
        "folder", "lessons.json is not open", True,
    ),
    "recall switched off": Fault(
        lambda ws: settings_file.switch(ws, on=False, recall_only=True), "switches", "recall is switched off"
    ),
    "all hooks disabled": Fault(
        _client_settings(disableAllHooks=True), "switches", '"disableAllHooks" is true'
    ),
    "hooks of an interpreter that is gone": Fault(
        _moved_interpreter("user"), "switches", "name /gone/python, which is gone", True
    ),
    "hooks of a project with such an interpreter": Fault(
        _moved_interpreter("local"), "switches", "name /gone/python, which is gone", True
    ),
    "another home in the client": Fault(
        _client_settings(env={"LEARNLOOP_HOME": "/tmp/x"}),
        "switches", "sends recordings and recall to /tmp/x",
    ),
    "no hooks": Fault(lambda ws: install.uninstall(ws), "hooks", "no agent calls Learnloop"),
    "hooks that lack an event": Fault(
        lambda _ws: _change_hooks(lambda hooks: hooks.pop("Stop")),
        "hooks", "not the ones of this version", True,
    ),
    "hooks twice in a file": Fault(
        lambda _ws: _change_hooks(lambda hooks: hooks["Stop"].extend(hooks["Stop"])),
        "hooks once", "calls them 2×", True,
    ),
    "hooks in two files": Fault(_another_scope, "hooks once", "calls them 2×"),
    "client settings that are torn": Fault(lambda _ws: _write(_client(), "{ broken"), "hooks", "not JSON"),
    "no hook copy": Fault(
        lambda ws: Path(paths.hooks(ws.root), "current").unlink(),
        "hook code", "no hook code is deployed", True,
    ),
    "a hook copy that was altered": Fault(
        lambda ws: _alter(ws, "learnloop/wire/payloads.py"), "hook code", "not those that were deployed", True
    ),
    "a bundle of hooks that was altered": Fault(
        lambda ws: _alter(ws, "bundle"), "hook code", "not those that were deployed", True
    ),
    "a journal that nothing ingests": Fault(
        lambda ws: journal.append(ws.root, [_record(age_ms=3 * DAY_MS, prompt="x")]),
        "journal", "the oldest for 3 d", True,
    ),
    "an agent that never called": Fault(
        lambda ws: install.install(ws, "codex"), "capture", "Codex never called its hooks"
    ),
    "an agent that was not run": Fault(
        lambda ws: install.install(ws, "cursor"), "capture", "Cursor (not run) never called its hooks"
    ),
    "an agent whose hooks are off": Fault(
        _codex_off,
        "capture", "Codex's own settings switch all hooks off",
    ),
    "an old client": Fault(_old_client, "client", "2.1.40 is older"),
    "records in the spool": Fault(_spooled, "spool", "1 records wait", True),
    "a clock that was ahead": Fault(
        lambda ws: Path(paths.events(ws.root), "9999999999999-000000.jsonl").touch(), "clock", "ahead"
    ),
    "a damaged store": Fault(
        lambda ws: _write(Path(paths.store(ws.root), "lessons.json"), "{ torn"), "store", "was unreadable"
    ),
    "an index that is behind": Fault(_old_index, "index", "agents get the lessons of an earlier state", True),
    "an index of rubbish": Fault(
        lambda ws: _write(paths.index(ws.root), "rubbish"), "index", "cannot be read", True
    ),
    "something in quarantine": Fault(
        lambda ws: _write(f"{paths.quarantine(ws.root)}/20260101T000000Z-spool", "torn"),
        "quarantine", "line of",
    ),
    "a failure in the background": Fault(
        lambda ws: _write(f"{paths.log(ws.root)}/background.log", "ValueError: torn"),
        "log", "ValueError: torn",
    ),
}  # fmt: skip


@pytest.fixture
def whole(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A store with a lesson in use and hooks that are registered."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path.home()}/bin:/bin:/usr/bin")
    monkeypatch.setenv("LEARNLOOP_REDACTION_EXTRAS", "")
    ws = workspace(root, "no, use uv instead of pip")
    verdicts.promote(ws, rows.rows(ws)[0].id)
    install.install(ws)
    journal.append(root, [_record(prompt="hello")])
    ingest(ws)
    return ws


def _doctor(capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, str]]:
    main(["doctor", "--json", *options])
    checks: list[dict[str, str]] = json.loads(capsys.readouterr().out)
    return checks


def _names_it(checks: list[dict[str, str]], fault: Fault) -> bool:
    troubles = (check for check in checks if check["level"] != "ok" and check["name"] == fault.check)
    return any(fault.words in check["message"] and check["hint"] for check in troubles)


def test_a_whole_installation_has_no_trouble(whole: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    del whole
    troubles = [check for check in _doctor(capsys) if check["level"] != "ok"]
    assert troubles == []


@pytest.mark.parametrize("name", FAULTS)
def test_the_doctor_names_a_fault_and_mends_what_it_can(
    name: str, whole: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    fault = FAULTS[name]
    fault.make(whole)
    assert _names_it(checks := _doctor(capsys), fault), checks
    assert _names_it(_doctor(capsys, "--fix"), fault) is not fault.is_mended
    assert not (fault.is_mended and _names_it(_doctor(capsys), fault))
