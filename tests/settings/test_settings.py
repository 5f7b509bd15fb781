"""Settings: one model, file and environment, unknown keys refused by name, a careful editor."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import tomlkit

from learnloop import settings
from learnloop.errors import NotFound, Refused, Unreadable
from learnloop.service.setup import settings_file


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEARNLOOP_HOME", str(tmp_path / "home"))
    for key in settings.names():
        monkeypatch.delenv(settings.variable(key), raising=False)
    (tmp_path / "home").mkdir()
    return tmp_path / "home" / "config.toml"


@pytest.mark.parametrize(
    ("text", "names", "suggests"),
    [
        ("queue_sise = 5", "queue_sise", "queue_size"),
        ("[budgets]\nper_cal = 1", "budgets.per_cal", "budgets.per_call"),
        ("[redaction]\nextra = []", "redaction.extra", "redaction.extras"),
    ],
)
def test_unknown_keys_are_refused_with_the_nearest(file: Path, text: str, names: str, suggests: str) -> None:
    file.write_text(text)
    with pytest.raises(Unreadable) as caught:
        settings.load()
    assert str(file) in caught.value.message
    assert repr(names) in caught.value.message
    assert suggests in caught.value.hint


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("queue_size", "abc", "takes a whole number, not 'abc'"),
        ("queue_size", "0", "takes 1 or more, not 0"),
        ("draft_threshold", "500", "takes 100 or less, not 500"),
        ("enabled", "maybe", "takes true or false, not 'maybe'"),
        ("redaction.extras", "3", "takes a list, not 3"),
    ],
)
def test_a_wrong_value_is_refused_in_plain_words_and_changes_nothing(
    file: Path, key: str, value: str, words: str
) -> None:
    file.write_text("queue_size = 5\n")
    with pytest.raises(Unreadable) as caught:
        settings_file.set_(key, value)
    assert str(caught.value.message) == f"{key}: {words}"
    assert caught.value.hint == "nothing was changed"
    assert file.read_text() == "queue_size = 5\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('retention_days = "soon"', "retention_days"),
        ("retention_days = 0", "retention_days"),
        ("[budgets]\nper_call = -1", "budgets.per_call"),
        ("budgets = 3", "budgets"),
        ("[redaction]\nextras = ['(']", "redaction.extras"),
        ("[redaction]\nextras = ['x*']", "redaction.extras"),
    ],
)
def test_wrong_values_are_refused_naming_file_and_key(file: Path, text: str, names: str) -> None:
    file.write_text(text)
    with pytest.raises(Unreadable) as caught:
        settings.load()
    assert caught.value.message.startswith(f"{file}: {names}: ")
    assert caught.value.hint


@pytest.mark.parametrize("data", [b"queue_size =", b"\xff\xfe", b"[", b"\x00"])
def test_what_is_no_toml_is_unreadable(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    with pytest.raises(Unreadable) as caught:
        settings.load()
    assert str(file) in caught.value.message


def test_the_environment_beats_the_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("queue_size = 5\nrecall = true\n")
    monkeypatch.setenv("LEARNLOOP_QUEUE_SIZE", "7")
    monkeypatch.setenv("LEARNLOOP_RECALL", "no")
    monkeypatch.setenv("LEARNLOOP_BUDGETS_PER_CALL", "2")
    monkeypatch.setenv("LEARNLOOP_REDACTION_EXTRAS", "['ACME-[0-9]+']")
    found = settings.load()
    assert (found.queue_size, found.recall, found.budgets.per_call) == (7, False, 2)
    assert found.redaction.extras == ("ACME-[0-9]+",)
    assert settings.load(environment=False).recall is True


def test_an_unknown_variable_of_a_section_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEARNLOOP_BUDGETS_PER_CAL", "2")
    with pytest.raises(Unreadable, match="'LEARNLOOP_BUDGETS_PER_CAL'") as caught:
        settings.load()
    assert caught.value.hint == "did you mean 'LEARNLOOP_BUDGETS_PER_CALL'?"


@pytest.mark.parametrize(
    ("text", "variables", "statement", "loaded"),
    [
        ("queue_size = 5", {}, "config.entries()", []),
        ("", {"LEARNLOOP_QUEUE_SIZE": "5"}, "config.entries()", ["pydantic_settings"]),
        ("", {}, "config.set_('queue_size', '5')", ["tomlkit"]),
    ],
)
def test_what_is_slow_to_load_is_loaded_where_it_is_used(
    file: Path, text: str, variables: dict[str, str], statement: str, loaded: list[str]
) -> None:
    file.write_text(text)
    code = (
        "import sys; from learnloop import settings;"
        "from learnloop.service.setup import settings_file as config;"
        f"{statement};"
        "print(sorted({'pydantic_settings', 'tomlkit'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=True)
    assert done.stdout == f"{loaded}\n"


LAID_OUT = """\
# mine
queue_size = 5  # few
theme = "a"

[redaction]
extras = [
  'A-[0-9]',  # ours
]

# the end
"""


@pytest.mark.parametrize("text", ["queue_size = 1\n", "queue_size = 8\ntheme = 'b'\n", "queue_size ="])
def test_an_edit_that_reads_back_otherwise_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    file.write_text(LAID_OUT)
    monkeypatch.setattr(tomlkit.TOMLDocument, "as_string", lambda _: text)
    with pytest.raises(Refused, match="cannot be changed safely"):
        settings_file.set_("queue_size", "8")
    assert file.read_text() == LAID_OUT


LAYOUTS = (
    LAID_OUT,
    "budgets.per_call = 1\ntheme = 'a'\nbudgets.per_session = 3 # s\n[redaction]\nextras = []\n",
    "redaction = { extras = ['a'] } # x\n[budgets]\nper_call = 1\n",
    "  theme = 'a'\n  [budgets]\n    per_call = 1 # one\n\n    # two\n    per_session = 3\n",
    '"queue_size" = 3\n["budgets"]\n"per_call" = 1\n[keys] # k\npromote = "u"\n# z\n[redaction]\n',
    "[redaction]\nextras = [\n  '''[budgets]\nper_call = 1''',\n]",
)


@pytest.mark.parametrize("text", LAYOUTS)
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("queue_size", "8"),
        ("budgets.per_call", "2"),
        ("redaction.extras", r"['\d', 'x']"),
        ("keys.promote", "q"),
    ],
)
def test_a_setting_comes_and_goes_in_every_layout(file: Path, text: str, key: str, value: str) -> None:
    file.write_text(text)
    before = {
        other: settings_file.get(other) for other in settings.names() if other != key.split(".promote")[0]
    }
    set_value = settings_file.set_(key, value)
    assert settings_file.get(key) == set_value
    assert {other: settings_file.get(other) for other in before} == before
    assert settings_file.unset(key)
    assert {other: settings_file.get(other) for other in before} == before
    assert not settings_file.unset(key)


def test_a_key_that_does_not_exist_gets_a_suggestion(file: Path) -> None:
    with pytest.raises(NotFound) as caught:
        settings_file.get("budget.per_call")
    assert "budgets.per_call" in caught.value.hint
    with pytest.raises(NotFound):
        settings_file.set_("quue_size", "3")
    assert not file.exists()


def test_a_linked_file_stays_a_link(file: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("queue_size = 5\n")
    file.symlink_to(real)
    settings_file.set_("queue_size", "6")
    assert file.is_symlink()
    assert real.read_text() == "queue_size = 6\n"


def test_the_file_is_made_with_its_folder(
    file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LEARNLOOP_HOME", str(tmp_path / "new"))
    settings_file.set_("theme", "nord")
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "new/config.toml").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "value",
    [
        ["a", 1, 0.5, True],
        {"a": ["b"], "c d": {}},
        "plain 😀 ü",
        'a "b"',
        "both ' and \\",
        "new\nline \x7f",
    ],
)
def test_literals_read_back(value: object) -> None:
    assert tomllib.loads(f"x = {settings_file.literal(value)}")["x"] == value
