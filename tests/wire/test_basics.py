"""Times, ids, JSON, text, environment, paths, projects: what every process shares."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnloop.wire import clock, codec, env, event, paths, project, text

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


# clock


def test_iso() -> None:
    assert clock.iso(0) == "1970-01-01T00:00:00.000Z"
    assert clock.iso(1_795_220_466_007) == "2026-11-21T00:21:06.007Z"


@given(st.integers(min_value=0, max_value=4_102_444_800_000))
def test_times_survive_text(ms: int) -> None:
    assert clock.parse_ms(clock.iso(ms)) == ms


@pytest.mark.parametrize(
    ("ts", "ms"),
    [
        ("2026-11-21T00:21:06.007Z", 1_795_220_466_007),
        ("2026-11-21T01:21:06.007+01:00", 1_795_220_466_007),
        ("2026-11-21T00:21:06.007", 1_795_220_466_007),
        ("2026-11-21", 1_795_219_200_000),
        ("soon", 5),
        ("", 5),
        (None, 5),
        (1_795_220_466_007, 5),
    ],
)
def test_time_of_a_text(ts: object, ms: int) -> None:
    assert clock.parse_ms(ts, default=5) == ms


def test_ids_sort_by_time_and_are_unique() -> None:
    ids = [clock.new_id(ms) for ms in range(1_000, 1_100) for _ in range(3)]
    assert len(set(ids)) == 300
    assert [event_id[:12] for event_id in ids] == sorted(event_id[:12] for event_id in ids)
    assert clock.new_id(42).startswith("00000000002a")


# codec


@settings(deadline=None)
@given(JSON)
def test_codec_is_json(value: Any) -> None:
    encoded = codec.encode(value)
    assert encoded.isascii()
    assert json.loads(encoded) == value
    assert codec.decode(encoded) == value
    assert codec.decode(f" \n{json.dumps(value, indent=1)}\t\r\n") == value


@settings(deadline=None)
@given(st.text() | st.text(alphabet='{}[]":,0123456789.eE+- \ntruefalsn\\u'))
def test_codec_accepts_what_json_accepts(given_text: str) -> None:
    try:
        expected = json.loads(given_text, strict=False)
    except ValueError:
        with pytest.raises(ValueError, match=r".+"):
            codec.decode(given_text)
    else:
        found = codec.decode(given_text)
        assert found == expected or (isinstance(found, float) and math.isnan(found))


@pytest.mark.parametrize(
    "given_text", ['{"a": "b', '{"a": 5, "b', "[1,", '"\\u12', "{1: 2}", "nul", "", "\x00"]
)
def test_codec_refuses_without_json_loaded(given_text: str) -> None:
    """The C scanner raises its errors through `json`, which a hook has not loaded."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2] / 'src')!r})\n"
        "from learnloop.wire import codec\n"
        f"try: codec.decode({given_text!r})\n"
        "except ValueError: print('json' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_codec_refuses_depth() -> None:
    with pytest.raises(RecursionError):
        codec.decode("[" * 100_000)


def test_codec_refuses_objects() -> None:
    with pytest.raises(TypeError):
        codec.encode({"a": object()})


def test_codec_keeps_lone_surrogates() -> None:
    assert codec.decode(codec.encode("\ud800")) == "\ud800"


# text


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("plain", "plain"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        ("windows\r\nand old\rlines", "windows\nand old\nlines"),
        ("\x1b[31mred", "�[31mred"),
        ("a\u202eb\u2066c", "a�b�c"),
        ("a\u200bb", "a�b"),
        ("a\u00a0b\u2028c", "a b c"),
        ("\ud800", "�"),
        ("👩\u200d💻 ünï", "👩\u200d💻 ünï"),
        ("\x00\x7f\x9b", "���"),
    ],
)
def test_clean(raw: str, kept: str) -> None:
    assert text.clean(raw) == kept


@settings(deadline=None)
@given(st.text())
def test_clean_text_is_printable_and_settled(raw: str) -> None:
    kept = text.clean(raw)
    assert text.clean(kept) == kept
    assert all(character.isprintable() or character in "\n\t\u200d" for character in kept)
    kept.encode()


@pytest.mark.parametrize(("raw", "limit", "kept"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("", 3, "")])
def test_cut(raw: str, limit: int, kept: str) -> None:
    assert text.cut(raw, limit) == kept


# env


@pytest.mark.parametrize(
    ("value", "on"),
    [
        ("1", True),
        ("true", True),
        ("anything", True),
        ("", False),
        ("0", False),
        ("No", False),
        ("OFF", False),
    ],
)
def test_is_on(monkeypatch: pytest.MonkeyPatch, value: str, on: bool) -> None:
    monkeypatch.setenv("LEARNLOOP_PROBE", value)
    assert env.is_on("LEARNLOOP_PROBE") is on
    monkeypatch.delenv("LEARNLOOP_PROBE")
    assert not env.is_on("LEARNLOOP_PROBE")


def test_env_without_os() -> None:
    """Where `os` is not loaded, the environment is read all the same, whatever bytes it holds."""
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2] / 'src')!r})\n"
        "from learnloop.wire import env\n"
        "assert 'os' not in sys.modules\n"
        "print(ascii(env.get('PROBE')), env.get('MISSING', 'default'))"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        env={b"PROBE": b"caf\xc3\xa9\xff"},
        capture_output=True,
        check=True,
    )
    assert ran.stdout.decode().split() == ["'caf\\xe9\\udcff'", "default"]


# event


def test_record_leaves_out_empty_ids() -> None:
    record = event.record(
        "prompt",
        host="claude",
        session_id="s",
        cwd="/",
        project="/",
        payload={},
        ts_ms=0,
        prompt_id="p",
        agent_id="",
    )
    assert list(record) == [
        "v",
        "id",
        "ts",
        "host",
        "kind",
        "session_id",
        "prompt_id",
        "cwd",
        "project",
        "payload",
    ]


# paths


def test_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEARNLOOP_HOME", "/data/loop/")
    assert paths.root() == "/data/loop"
    assert paths.config_file() == "/data/loop/config.toml"
    monkeypatch.delenv("LEARNLOOP_HOME")
    monkeypatch.setenv("HOME", "/home/me")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    monkeypatch.setattr(sys, "platform", "linux")
    assert paths.root() == "/data/learnloop"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert paths.root() == "/home/me/.local/share/learnloop"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert paths.root() == "/home/me/Library/Application Support/learnloop"


def test_ensure_dir_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        paths.ensure_dir(str(tmp_path / "a" / "b"))
    finally:
        os.umask(before)
    paths.ensure_dir(str(tmp_path / "a" / "b"))
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700
    (tmp_path / "file").touch()
    with pytest.raises(OSError, match="Not a directory"):
        paths.ensure_dir(str(tmp_path / "file" / "a"))


# project


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home" / "me"
    home.mkdir(parents=True)
    return home


def find(start: Path, home: Path) -> str:
    return project.find(str(start), str(home))


def test_nearest_repository(home: Path) -> None:
    inner = home / "code" / "src" / "deep"
    inner.mkdir(parents=True)
    assert find(inner, home) == str(inner)
    (home / "code" / ".git").mkdir()
    assert find(inner, home) == str(home / "code")
    assert find(home / "code", home) == str(home / "code")


def test_never_home_or_above(home: Path) -> None:
    inner = home / "notes"
    inner.mkdir()
    (home / ".git").mkdir()
    (home.parent / ".git").mkdir()
    assert find(inner, home) == str(inner)
    assert find(home, home) == str(home)
    assert find(home.parent, home) == str(home.parent)


def test_outside_home(home: Path, tmp_path: Path) -> None:
    inner = tmp_path / "srv" / "app" / "src"
    inner.mkdir(parents=True)
    (tmp_path / "srv" / "app" / ".git").mkdir()
    assert find(inner, home) == str(tmp_path / "srv" / "app")


def test_submodule_is_a_project_of_its_own(home: Path) -> None:
    inner = home / "code" / "vendored"
    inner.mkdir(parents=True)
    (home / "code" / ".git").mkdir()
    (inner / ".git").write_text("gitdir: ../.git/modules/vendored\n")
    assert find(inner, home) == str(inner)


def link_back(git: Path, name: str, tree: Path | str) -> None:
    """What git writes in a repository about one of its worktrees."""
    (git / "worktrees" / name).mkdir(parents=True)
    (git / "worktrees" / name / "gitdir").write_text(f"{tree}/.git\n")


@pytest.mark.parametrize("relative", [False, True])
def test_worktrees_are_one_project(home: Path, relative: bool) -> None:
    main, tree = home / "code", home / "trees" / "feature"
    link_back(main / ".git", "feature", "../../../../trees/feature" if relative else tree)
    (tree / "src").mkdir(parents=True)
    prefix = "../../code" if relative else str(main)
    (tree / ".git").write_text(f"gitdir: {prefix}/.git/worktrees/feature\n")
    assert find(tree / "src", home) == str(main)


@pytest.mark.parametrize("back", [None, "", "/elsewhere", "../.."])
def test_a_folder_is_no_worktree_of_a_repository_that_does_not_say_so(home: Path, back: str | None) -> None:
    """Else an unpacked archive gets the lessons of another project and files its drafts there."""
    main, tree = home / "code", home / "unpacked"
    (main / ".git" / "worktrees" / "feature").mkdir(parents=True)
    if back is not None:
        (main / ".git" / "worktrees" / "feature" / "gitdir").write_text(f"{back}/.git\n" if back else "")
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/feature\n")
    assert find(tree, home) == str(tree)


def test_a_link_to_the_git_file_of_a_worktree_is_no_worktree(home: Path) -> None:
    main, tree = home / "code", home / "tree"
    link_back(main / ".git", "feature", tree)
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {main}/.git/worktrees/feature\n")
    (home / "unpacked").mkdir()
    (home / "unpacked" / ".git").symlink_to(tree / ".git")
    assert find(home / "unpacked", home) == str(home / "unpacked")


@pytest.mark.usefixtures("_git")
def test_worktree_made_by_git(home: Path) -> None:
    main, tree = home / "code", home / "tree"
    main.mkdir()
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (
        ["init", "-q"],
        ["commit", "-q", "--allow-empty", "-m", "x"],
        ["worktree", "add", "-q", str(tree)],
    ):
        subprocess.run([*git, *command], cwd=main, check=True)
    assert find(tree, home) == str(main)


@pytest.mark.parametrize(("bare", "known_as"), [("shop/.bare", "shop"), ("shop.git", "shop.git")])
def test_worktrees_of_a_bare_repository_are_one_project(home: Path, bare: str, known_as: str) -> None:
    for name in ("one", "two"):
        tree = home / "trees" / name
        tree.mkdir(parents=True)
        link_back(home / bare, name, tree)
        (tree / ".git").write_text(f"gitdir: {home}/{bare}/worktrees/{name}\n")
        assert find(tree, home) == str(home / known_as)


def test_a_worktree_of_a_submodule_is_a_project_of_its_own(home: Path) -> None:
    tree = home / "tree"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {home}/code/.git/modules/vendored/worktrees/tree\n")
    assert find(tree, home) == str(tree)


@pytest.mark.parametrize("content", ["", "gitdir:", "nonsense\n", "gitdir: /x/.git/worktrees\n", "\ud800"])
def test_odd_git_files(home: Path, content: str) -> None:
    folder = home / "code"
    folder.mkdir()
    (folder / ".git").write_bytes(content.encode("utf-8", "surrogatepass"))
    assert find(folder, home) == str(folder)


def test_package_of_a_monorepo(home: Path) -> None:
    package = home / "code" / "packages" / "a"
    (package / ".learnloop").mkdir(parents=True)
    (package / "src").mkdir()
    (home / "code" / ".git").mkdir()
    (package / ".learnloop" / "project").touch()
    assert find(package / "src", home) == str(package)


@pytest.mark.parametrize("start", ["", "/", "relative/path", "/gone/away", "/a\0b", "/a\ud800"])
def test_odd_starts(start: str, home: Path) -> None:
    assert project.find(start, str(home)) == start
