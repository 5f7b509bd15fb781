"""A person's own keys: read, checked against the table of commands, clashes told by name."""

from pathlib import Path

import pytest
from textual.keys import _character_to_key

from learnloop import settings
from learnloop.cli.main import main
from learnloop.errors import Unreadable
from learnloop.keymap import commands, keymap
from learnloop.service.health import doctor, health_report, quick_status
from learnloop.service.setup import settings_file
from learnloop.service.workspace import open_workspace
from learnloop.wire import paths


def test_a_key_is_known_by_character_name_or_habit() -> None:
    for code in range(33, 127):
        assert commands.normal(chr(code)) == _character_to_key(chr(code))
    spoken = {
        "esc": "escape",
        "Ctrl+E": "ctrl+e",
        "shift+ctrl+F4": "ctrl+shift+f4",
        "PgDn": "pagedown",
        "↓": "down",
    }
    for said, meant in {**spoken, "ctrl+/": "ctrl+slash", "question_mark": "question_mark", "é": "é"}.items():
        assert commands.normal(said) == meant
    for nonsense in ("", "bogus", "hyper+x", "f25", "ctrl+", "\x1b", "two words"):
        assert commands.normal(nonsense) == ""


def test_wishes_hold_swapped_keys_too() -> None:
    found = keymap.resolved({"promote": ["u", "ctrl+b"], "reject": ["p"], "edit": ["r"]})
    assert found.problems == ()
    assert found.keys["promote"] == ("u", "ctrl+b")
    assert found.keys["reject"] == ("p",)


@pytest.mark.parametrize(
    ("wanted", "problem", "kept"),
    [
        ({"promote": ["r"]}, "keys.promote: r means reject in triage already, so p stays", {}),
        ({"promote": ["q"]}, "keys.promote: q means quit in triage already, so p stays", {}),
        (
            {"reject": ["u"], "archive": ["u"]},
            "keys.archive: u means reject in triage already, so x stays",
            {"reject"},
        ),
        ({"promot": ["u"]}, "keys.promot: there is no such command, did you mean promote?", {}),
        ({"promote": ["nope", "u"]}, "keys.promote: 'nope' is no key", {"promote"}),
        ({"promote": []}, "keys.promote: no key is named, so the default applies", {}),
        ({"quit": ["ctrl+c"]}, "keys.quit: 'ctrl+c' is the terminal's own", {}),
    ],
)
def test_what_cannot_be_is_reported_by_name_and_the_default_stays(
    wanted: dict[str, list[str]], problem: str, kept: set[str]
) -> None:
    found = keymap.resolved(wanted)
    assert found.problems == (problem,)
    assert {*found.keys} == set(kept)


def _write(words: str) -> None:
    path = Path(paths.config_file())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(words, "utf-8")


def test_settings_take_one_key_or_several(root: str) -> None:
    _write('[keys]\npromote = "u"\nreject = ["n", "ctrl+n"]\ntriage = 9\n')
    found = settings.load().keys
    assert found == {"promote": ("u",), "reject": ("n", "ctrl+n"), "triage": ("9",)}
    _write("[keys]\npromote = { a = 1 }\n")
    with pytest.raises(Unreadable, match=r"keys\.promote"):
        settings.load()


def test_the_command_line_sets_shows_checks_and_takes_out(
    root: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["config", "keys.promote", "u"]) == 0
    assert main(["config", "keys.reject", '["n", "ctrl+n"]']) == 0
    assert settings_file.get("keys.reject") == ["n", "ctrl+n"]
    assert main(["config", "--check"]) == 0
    assert capsys.readouterr().out.endswith("All settings make sense.\n")
    assert main(["config", "keys.archive", "n"]) == 0
    assert "keys.archive: n means reject in triage already, so x stays." in capsys.readouterr().out
    assert main(["config", "--check"]) == 1
    assert main(["config", "--unset", "keys.archive"]) == 0
    capsys.readouterr()
    assert main(["config", "--check"]) == 0
    assert main(["config", "keys"]) == 0
    assert 'promote = ["u"]' in capsys.readouterr().out


def test_doctor_and_status_line_report_it(root: str) -> None:
    _write('[keys]\npromote = "r"\nbogus = "u"\n')
    ws = open_workspace(root)
    told = [check for check in doctor.examine(ws) if check.name == "keys"]
    assert [check.level for check in told] == ["warn", "warn"]
    found = health_report.health_report(ws).with_(last_capture="2023-11-14T22:10:00.000Z")
    assert "2 keys of yours cannot be used, see learn doctor" in quick_status.status_line(found.figures())
