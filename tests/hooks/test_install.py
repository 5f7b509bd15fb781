"""The settings file: every byte of meaning stays, ours come and go."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from learnloop.errors import Refused, Unreadable
from learnloop.hosts import deploy
from learnloop.hosts.host import Host
from learnloop.hosts.table import CLAUDE
from learnloop.service import hosts
from learnloop.service.setup import install
from learnloop.service.workspace import Workspace, open_workspace

OTHERS = """{
    "model": "opus",
    "hooks": {
        "Stop": [
            {
                "hooks": [{ "type": "command", "command": "say done" }]
            }
        ],
        "PreToolUse": [],
        "FromTheFuture": [ 1, "x" ]
    },
    "number":   1.50e3, "text": "\\u00e9 \\ud83c\\udf88",
    "permissions": {"allow": ["Bash(ls:*)",
       "Read"]}
}
"""
FILES = {
    "absent": None,
    "empty": b"",
    "empty object": b"{}",
    "empty object on lines": b"{\n}\n",
    "one line": b'{"model": "opus", "hooks": {"Stop": []}}',
    "no spaces": b'{"model":"opus"}',
    "others": OTHERS.encode(),
    "no newline at the end": OTHERS.rstrip().encode(),
    "tabs": OTHERS.replace("    ", "\t").encode(),
    "windows lines": OTHERS.replace("\n", "\r\n").encode(),
    "byte order mark": b"\xef\xbb\xbf" + OTHERS.encode(),
    "empty hooks": b'{\n  "hooks": {},\n  "a": 1\n}\n',
}
WRONG = {
    "not JSON": b"{,}",
    "a comment": b'{\n  // mine\n  "a": 1\n}',
    "a list": b"[]",
    "null": b"null",
    "hooks a list": b'{"hooks": []}',
    "hooks null": b'{"hooks": null}',
    "event an object": b'{"hooks": {"Stop": {}}}',
    "not UTF-8": b'{"a": "\xff"}',
    "nested": b'{"a":' * 5000 + b"1" + b"}" * 5000,
}


@pytest.fixture
def ws(root: str, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return open_workspace(root)


@pytest.fixture
def path(root: str) -> Path:
    return Path.home() / ".claude" / "settings.json"


def put(path: Path, data: bytes | None) -> None:
    if data is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def meaning(data: bytes) -> Any:
    return json.loads(data.decode("utf-8-sig") or "{}")


def without_ours(settings: Any) -> Any:
    """The settings as any other program understands them: without our groups and what they left empty."""
    hooks = {
        event: [group for group in groups if "learnloop_hooks.entry" not in json.dumps(group)]
        for event, groups in settings.pop("hooks", {}).items()
    }
    return settings, {event: groups for event, groups in hooks.items() if groups}


@pytest.mark.parametrize("data", FILES.values(), ids=FILES.keys())
def test_install_keeps_what_is_there_and_uninstall_restores_it(
    ws: Workspace, path: Path, data: bytes | None
) -> None:
    put(path, data)
    assert install.install(ws).changed
    settings = meaning(path.read_bytes())
    assert set(CLAUDE.events) <= set(settings["hooks"])
    assert without_ours(settings) == without_ours(meaning(data or b"{}"))
    assert install.uninstall(ws).changed
    assert (path.read_bytes() if path.exists() else None) == data
    assert path.parent.exists() == (data is not None)


@pytest.mark.parametrize("data", FILES.values(), ids=FILES.keys())
def test_idempotent(ws: Workspace, path: Path, data: bytes | None) -> None:
    put(path, data)
    install.install(ws)
    once = path.read_bytes()
    for _ in range(2):
        report = install.install(ws)
        assert (report.changed, report.diff) == (False, "")
        assert path.read_bytes() == once
    install.uninstall(ws)
    for _ in range(2):
        assert not install.uninstall(ws).changed
    assert (path.read_bytes() if path.exists() else None) == data


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('// mine\n{"a": 1}\n', 1, "comment"),
        ('{\n  "a": 1 // mine\n}\n', 2, "comment"),
        ('{\n  "a": 1,\n  // mine\n  "b": 2\n}\n', 3, "comment"),
        ('{\n  "a": /* mine\n  too */ 1\n}\n', 2, "comment"),
        ('{"a": 1}\n/* mine */\n', 2, "comment"),
        ('{\n  "a": [\n    1,\n    // mine\n    2]\n}\n', 4, "comment"),
        ('{\n  "a": {"b": 1,}\n}\n', 2, "comma too many"),
        ('{"a": [1, 2,]}\n', 1, "comma too many"),
    ],
)
def test_comments_are_named_as_what_is_in_the_way(
    ws: Workspace, path: Path, text: str, line: int, what: str
) -> None:
    """File, line and the way out; the file stays as it is."""
    put(path, text.encode())
    with pytest.raises(
        Unreadable, match=f"^{path}: not JSON: line {line} has a {what}, .*; take all of them out"
    ):
        install.install(ws)
    assert path.read_text() == text


def test_a_comma_in_words_is_no_fault(ws: Workspace, path: Path) -> None:
    put(path, b'{"a": "// no comment ,}"}')
    assert install.install(ws).changed


@pytest.mark.parametrize("data", WRONG.values(), ids=WRONG.keys())
def test_refuses_what_it_cannot_understand(ws: Workspace, path: Path, data: bytes) -> None:
    put(path, data)
    for change in (install.install, install.uninstall):
        with pytest.raises(Unreadable, match=r"settings\.json"):
            change(ws)
        assert path.read_bytes() == data
    assert [each.name for each in path.parent.iterdir()] == ["settings.json"]
    (found,) = install.installed(ws)
    assert not found.current
    assert "settings.json" in found.error


def test_dry_run_shows_the_change_and_makes_none(ws: Workspace, path: Path) -> None:
    put(path, OTHERS.encode())
    report = install.install(ws, dry_run=True)
    assert report.changed
    assert '+        "SessionStart": [' in report.diff
    assert path.read_text() == OTHERS
    assert not Path(ws.root).exists()
    install.install(ws)
    assert install.uninstall(ws, dry_run=True).changed
    assert "learnloop_hooks" in path.read_text()


def test_uninstall_after_other_changes_takes_out_ours_alone(ws: Workspace, path: Path) -> None:
    put(path, OTHERS.encode())
    install.install(ws)
    edited = path.read_text().replace('"opus"', '"sonnet"')
    path.write_text(edited)
    assert install.uninstall(ws).changed
    assert path.read_text() == OTHERS.replace('"opus"', '"sonnet"')


def test_a_file_that_we_made_and_a_person_filled_stays(ws: Workspace, path: Path) -> None:
    install.install(ws)
    settings = json.loads(path.read_text())
    path.write_text(json.dumps({**settings, "model": "opus"}))
    install.uninstall(ws)
    assert json.loads(path.read_text()) == {"model": "opus"}


def test_renewing_an_older_installation_keeps_the_way_back(ws: Workspace, path: Path) -> None:
    put(path, OTHERS.encode())
    older = open_workspace(ws.root)
    install.install(older)
    command = json.dumps(install.hook_command(ws))[1:-1]
    path.write_text(path.read_text().replace(command, command.replace(" -I -S ", " -I ")))
    (found,) = install.installed(ws)
    assert not found.current
    assert install.install(ws).changed
    assert install.installed(ws)[0].current
    assert path.read_text().count("learnloop_hooks.entry") == len(CLAUDE.events)
    install.uninstall(ws)
    assert json.loads(path.read_text()) == json.loads(OTHERS)


def test_recognises_its_hooks_of_another_root(ws: Workspace, path: Path, tmp_path: Path) -> None:
    put(path, OTHERS.encode())
    install.install(open_workspace(str(tmp_path / "elsewhere")))
    assert install.install(ws).changed
    assert path.read_text().count("learnloop_hooks.entry") == len(CLAUDE.events)
    assert "elsewhere" not in path.read_text()
    install.uninstall(open_workspace(str(tmp_path / "third")))
    assert without_ours(json.loads(path.read_text())) == without_ours(json.loads(OTHERS))
    assert "learnloop" not in path.read_text()


def test_a_handler_of_ours_in_a_group_of_others(ws: Workspace, path: Path) -> None:
    ours = {"type": "command", "command": install.hook_command(ws)}
    other = {"type": "command", "command": "say hi"}
    put(path, json.dumps({"hooks": {"Stop": [{"hooks": [other, ours]}]}}).encode())
    install.uninstall(ws)
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [{"hooks": [other]}]}}


def test_follows_a_link_without_replacing_it(ws: Workspace, path: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_text(OTHERS)
    real.chmod(0o640)
    path.parent.mkdir()
    path.symlink_to(real)
    install.install(ws)
    assert path.is_symlink()
    assert "learnloop_hooks" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640
    install.uninstall(ws)
    assert path.is_symlink()
    assert real.read_text() == OTHERS
    assert real.stat().st_mode & 0o777 == 0o640


def test_a_link_to_nothing_yet(ws: Workspace, path: Path, tmp_path: Path) -> None:
    path.parent.mkdir()
    path.symlink_to(tmp_path / "dotfiles" / "claude.json")
    install.install(ws)
    assert path.is_symlink()
    assert "learnloop_hooks" in (tmp_path / "dotfiles" / "claude.json").read_text()


def test_backup_holds_the_file_as_it_was(ws: Workspace, path: Path) -> None:
    put(path, OTHERS.encode())
    backup = Path(install.install(ws).backup)
    assert backup.read_text() == OTHERS
    assert backup.stat().st_mode & 0o077 == 0


def test_claude_config_dir(ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "other config"))
    report = install.install(ws)
    assert report.path == str(tmp_path / "other config" / "settings.json")
    assert install.installed(ws)[0].path == report.path


def test_local_scope(ws: Workspace, tmp_path: Path) -> None:
    project = tmp_path / "a project"
    project.mkdir()
    report = install.install(ws, scope="local", project=str(project))
    assert report.path == str(project / ".claude" / "settings.local.json")
    assert [each.scope for each in install.installed(ws)] == ["local"]
    install.uninstall(ws, scope="local", project=str(project))
    assert list(project.iterdir()) == []


@pytest.mark.usefixtures("_git")
def test_never_a_committed_file(ws: Workspace, tmp_path: Path) -> None:
    with pytest.raises(Refused):
        install.install(ws, scope="project")
    path = tmp_path / ".claude" / "settings.local.json"
    path.parent.mkdir()
    path.write_text("{}")
    for command in (["init", "-q"], ["add", "-f", str(path)]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    with pytest.raises(Refused, match="committed"):
        install.install(ws, scope="local", project=str(tmp_path))
    assert path.read_text() == "{}"


@pytest.mark.parametrize(
    "host", [host for host in hosts.HOSTS if host.name != "claude" and not host.plugin], ids=str
)
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(data, id=name, marks=[] if name in ("absent", "others") else [pytest.mark.slow])
        for name, data in FILES.items()
    ],
)
def test_another_host_is_installed_and_uninstalled_byte_for_byte(
    ws: Workspace, host: Host, data: bytes | None
) -> None:
    path = host.path_of("user", None)
    put(path, data)
    report = install.install(ws, host.name)
    assert report.path == str(path)
    assert [message for message in report.messages if host.approval in message] or not host.approval
    command = json.dumps(install.hook_command(ws, host.name)).removesuffix('"')
    assert path.read_text("utf-8-sig").count(command) == len(host.events)
    assert [(each.host, each.current) for each in install.installed(ws)] == [(host.name, True)]
    assert not install.install(ws, host.name).changed
    install.uninstall(ws, host.name)
    assert (path.read_bytes() if path.exists() else None) == data
    assert path.parent.exists() == (data is not None)


def test_a_host_without_an_uncommitted_file_has_no_local_scope(ws: Workspace, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="Codex"):
        install.install(ws, "codex", scope="local", project=str(tmp_path))


def test_unknown_host(ws: Workspace) -> None:
    for call in (install.install, install.uninstall, install.hook_command):
        with pytest.raises(Refused, match="claude"):
            call(ws, "clippy")


def test_a_change_by_another_program_meanwhile(
    ws: Workspace, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(path, b"{}")
    ensure = deploy.ensure

    def meanwhile(root: str) -> Path:
        path.write_text('{"model": "new"}')
        return ensure(root)

    monkeypatch.setattr(deploy, "ensure", meanwhile)
    with pytest.raises(Refused, match="meanwhile"):
        install.install(ws)
    assert path.read_text() == '{"model": "new"}'
    assert [each.name for each in path.parent.iterdir()] == ["settings.json"]


def test_a_root_that_cannot_be_written(path: Path, root: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    put(path, b"{}")
    with pytest.raises(Refused):
        install.install(open_workspace(str(tmp_path / "file" / "root")))
    assert path.read_text() == "{}"


def client(folder: Path, body: str) -> None:
    folder.mkdir()
    script = folder / "claude"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('[ "$LEARNLOOP_NESTED" = 1 ] && echo "2.1.46 (Claude Code)"', True),
        ('echo "2.0.77"', True),
        ('echo "2.1.118 (Claude Code)"', False),
        ('echo "3.0.0"', False),
        ("echo unknown", False),
        ("exit 1", False),
    ],
)
def test_an_older_client_is_reported(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, expected: bool
) -> None:
    client(tmp_path / "bin", body)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin:/bin")
    assert any("older than 2.1.118" in message for message in install.install(ws).messages) is expected


def test_disabled_hooks_are_reported(ws: Workspace, path: Path) -> None:
    put(path, b'{"disableAllHooks": true}')
    assert any("disableAllHooks" in message for message in install.install(ws).messages)


def test_a_damaged_register_is_as_good_as_none(ws: Workspace, path: Path) -> None:
    put(path, OTHERS.encode())
    install.install(ws)
    for damage in ("", "[", "[]", '{"a": 1}', json.dumps({str(path): {"events": 7, "after": None}})):
        Path(ws.root, "install.json").write_text(damage)
        assert install.installed(ws)[0].current
    install.uninstall(ws)
    assert without_ours(json.loads(path.read_text())) == without_ours(json.loads(OTHERS))
