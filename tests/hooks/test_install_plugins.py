"""Installing for hosts whose hooks are a plugin: one file of ours, there or gone."""

import json
import shlex
from pathlib import Path

import pytest

from learnloop.errors import Unreadable
from learnloop.hosts.host import Host
from learnloop.service import hosts
from learnloop.service.health import doctor
from learnloop.service.setup import install
from learnloop.service.workspace import Workspace, open_workspace

PLUGINS = [host for host in hosts.HOSTS if host.plugin]


@pytest.fixture
def ws(root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.chdir(tmp_path)
    return open_workspace(root)


@pytest.mark.parametrize("host", PLUGINS, ids=str)
def test_a_plugin_is_put_there_and_taken_away(ws: Workspace, host: Host, tmp_path: Path) -> None:
    path = host.path_of("user", None)
    plan = install.install(ws, host.name, dry_run=True)
    assert plan.changed
    assert not path.exists()
    install.install(ws, host.name)
    argv = json.dumps(shlex.split(install.hook_command(ws, host.name)))
    assert path.read_text("utf-8").count(argv) == 1
    assert [(each.host, each.current) for each in install.installed(ws)] == [(host.name, True)]
    assert not install.install(ws, host.name).changed
    install.uninstall(ws, host.name)
    assert not (tmp_path / "person").exists()


@pytest.mark.parametrize("host", PLUGINS, ids=str)
def test_an_older_plugin_is_not_current_and_is_replaced(ws: Workspace, host: Host) -> None:
    path = host.path_of("user", None)
    install.install(ws, host.name)
    newest = path.read_text("utf-8")
    path.write_text(newest + "// old\n", "utf-8")
    assert [each.current for each in install.installed(ws)] == [False]
    assert install.install(ws, host.name).changed
    assert path.read_text("utf-8") == newest
    path.write_text(newest + "// old\n", "utf-8")
    Path(ws.root, "install.json").unlink()
    install.uninstall(ws, host.name)
    assert not path.exists()


@pytest.mark.parametrize("host", PLUGINS, ids=str)
def test_a_file_of_somebody_else_stays(ws: Workspace, host: Host) -> None:
    path = host.path_of("user", None)
    path.parent.mkdir(parents=True)
    path.write_text("export default {}\n", "utf-8")
    with pytest.raises(Unreadable, match="not a plugin of Learnloop"):
        install.install(ws, host.name)
    assert path.read_text("utf-8") == "export default {}\n"


@pytest.mark.parametrize("host", PLUGINS, ids=str)
def test_doctor_tells_of_a_plugin_that_is_loaded_twice(ws: Workspace, host: Host, tmp_path: Path) -> None:
    install.install(ws, host.name)
    path = host.path_of("user", None)
    assert not [check for check in doctor.once(ws, False) if "loads our plugin" in check.message]
    second = tmp_path / host.plugin_folders[-1] / "copy.js"
    second.parent.mkdir(parents=True)
    second.write_bytes(path.read_bytes())
    (doubled,) = [check for check in doctor.once(ws, False) if "loads our plugin" in check.message]
    assert doubled.message == f"{host.title} loads our plugin 2×: {path}, {second}"
