"""Lessons travel between homes and between checkouts, by a name that no hostile settings can spoil."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnloop import errors
from learnloop.learn.lessons import contradictions
from learnloop.models import Lesson
from learnloop.service import workspace
from learnloop.service.lessons import query, queue
from learnloop.service.review import verdicts
from learnloop.service.transfer import exchange
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import check_memory, check_rules, index, origin, paths, project, relevance

ADDRESS = "https://ada:s3cret@github.com:443/Acme/Shop.git"
NAME = "github.com/acme/shop"


def _clone(folder: Path, config: str) -> str:
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "config").write_text(config)
    return str(folder)


def _remote(url: str) -> str:
    return f'[core]\n\tbare = false\n[remote "origin"]\n\turl = {url}\n\tfetch = +refs/*\n'


@pytest.fixture
def ada(tmp_path: Path) -> Workspace:
    """A store with one lesson of a clone that has credentials in its address."""
    ws = workspace.open_workspace(str(tmp_path / "ada"))
    folder = _clone(tmp_path / "one" / "shop", _remote(ADDRESS))
    verdicts.add(ws, "Use uv instead of pip.", scope="project", project=folder)
    return ws


@pytest.fixture
def bob(tmp_path: Path) -> Workspace:
    """Another store."""
    return workspace.open_workspace(str(tmp_path / "bob"))


def _seen(ws: Workspace, folder: str) -> str:
    """A project that the store knows, by a lesson of it."""
    verdicts.add(ws, "Sign the commits.", scope="project", project=folder)
    return folder


def _stopped(ws: Workspace, folder: str) -> list[str]:
    """What a hook stops `pip install` with in a folder."""
    opened = index.read(paths.index(ws.root))
    assert opened is not None
    at_hand = {
        "moment": "tool",
        "tool": "Bash",
        "command": "pip install httpx",
        "project": folder,
        "cwd": folder,
    }
    moment = relevance.Moment(at_hand)
    call = check_rules.Call(moment, {"tool_name": "Bash", "tool_input": {"command": "pip install httpx"}})
    posted = check_rules.posted(opened, moment, call.names())
    return [record["text"] for record, *_ in check_rules.broken(posted, call, check_memory.Done())]


@pytest.mark.parametrize(
    ("config", "name"),
    [
        (_remote(ADDRESS), NAME),
        (_remote("git@github.com:acme/shop.git"), NAME),
        (_remote("ssh://git@github.com:22/acme/shop/"), NAME),
        (_remote("https://github.com/acme/shop?access_token=s3cret#x"), NAME),
        (_remote("gh:acme/shop") + '[url "https://github.com/"]\n\tinsteadOf = gh:\n', NAME),
        ('[remote "upstream"]\nurl = https://github.com/a/b\n' + _remote(ADDRESS), NAME),
        ('[Remote "origin"] url = "https://github.com/acme/shop"\n', NAME),
        (_remote("work:acme/shop"), "work/acme/shop"),
        (_remote("https://ada:a/b@github.com/acme/shop"), ""),
        (_remote("/srv/git/shop.git"), ""),
        (_remote("../shop"), ""),
        (_remote("file:///srv/git/shop.git"), ""),
        (_remote("C:/git/shop"), ""),
        (_remote("git@github.com:../../etc/passwd"), ""),
        (_remote("https://github.com/" + "a" * 900), ""),
        (_remote("https://github.com/ac\x1b[31mme/shop"), ""),
        ("[core]\n\tbare = false\n", ""),
        ("", ""),
        ("\x00\xff[remote \"origin\"]", ""),
        ("#" * (1 << 18) + "\n" + _remote(ADDRESS), ""),
    ],
)  # fmt: skip
def test_the_name_is_that_of_the_origin_and_has_no_secret(tmp_path: Path, config: str, name: str) -> None:
    assert origin.name(_clone(tmp_path / "shop", config)) == name


def _fifo(folder: Path) -> None:
    os.mkfifo(folder / ".git" / "config")


def _link_out(folder: Path) -> None:
    (folder.parent / "outside").write_text(_remote(ADDRESS))
    (folder / ".git" / "config").symlink_to(folder.parent / "outside")


def _folder(folder: Path) -> None:
    (folder / ".git" / "config").mkdir()


def _file_of_nothing(folder: Path) -> None:
    (folder / ".git").rmdir()
    (folder / ".git").write_bytes(b"gitdir: \x00/\xff")


def _linked_git(folder: Path) -> None:
    (folder / ".git").rmdir()
    (folder / ".git").symlink_to(_clone(folder.parent / "other", _remote(ADDRESS)) + "/.git")


@pytest.mark.parametrize("make", [_fifo, _link_out, _folder, _file_of_nothing, _linked_git])
def test_settings_that_are_no_plain_file_name_nothing(tmp_path: Path, make: Callable[[Path], None]) -> None:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    make(folder)
    assert origin.name(str(folder)) == ""


def test_a_worktree_and_a_submodule_have_the_names_of_their_repositories(tmp_path: Path) -> None:
    main = Path(_clone(tmp_path / "shop", _remote(ADDRESS)))
    (main / ".git" / "worktrees" / "w").mkdir(parents=True)
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / ".git").write_text(f"gitdir: {main}/.git/worktrees/w\n")
    (main / ".git" / "worktrees" / "w" / "gitdir").write_text(f"{tmp_path}/w/.git\n")
    assert origin.name(project.find(str(tmp_path / "w"))) == NAME
    (main / ".git" / "modules" / "lib").mkdir(parents=True)
    (main / ".git" / "modules" / "lib" / "config").write_text(_remote("git@github.com:acme/lib.git"))
    (main / "lib").mkdir()
    (main / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert origin.name(str(main / "lib")) == "github.com/acme/lib"


def test_a_second_clone_hears_the_first_ones_lesson_and_others_do_not(ada: Workspace, tmp_path: Path) -> None:
    second = _clone(tmp_path / "two" / "shop", _remote("git@github.com:acme/shop.git"))
    fork = _clone(tmp_path / "fork", _remote("git@github.com:bob/shop.git"))
    none = _clone(tmp_path / "three" / "shop", "")
    told = ["Use uv instead of pip."]
    assert [_stopped(ada, folder) for folder in (str(tmp_path / "one" / "shop"), second)] == [told, told]
    assert [_stopped(ada, folder) for folder in (fork, none, "")] == [[], [], []]
    assert [lesson.statement for lesson in query.query(ada, project=second)] == told
    assert query.query(ada, project=fork) == []


def test_each_of_two_clones_hears_the_lessons_of_both(ada: Workspace, tmp_path: Path) -> None:
    second = _seen(ada, _clone(tmp_path / "two" / "shop", _remote("git@github.com:acme/shop.git")))
    assert _stopped(ada, second) == _stopped(ada, str(tmp_path / "one" / "shop")) != []
    with pytest.raises(errors.Refused, match="says that already"):
        verdicts.add(ada, "Use uv instead of pip.", scope="project", project=second)


def test_a_lesson_outlives_the_clone_that_it_comes_from(ada: Workspace, tmp_path: Path) -> None:
    second = _clone(tmp_path / "two" / "shop", _remote("git@github.com:acme/shop.git"))
    (tmp_path / "one").rename(tmp_path / "gone")
    verdicts.add(ada, "Write a changelog line.")
    assert _stopped(ada, second) != []


def test_a_carried_lesson_stops_the_call_in_the_other_homes_checkout(
    ada: Workspace, bob: Workspace, tmp_path: Path
) -> None:
    here = _seen(bob, _clone(tmp_path / "bobs", _remote("git@github.com:acme/shop.git")))
    exchange.import_document(bob, _carried(ada))
    (draft,) = queue.listing(bob, "draft")
    assert (draft.project, draft.repo, draft.stops) == (here, NAME, False)
    assert _stopped(bob, here) == []
    verdicts.promote(bob, draft.id)
    assert _stopped(bob, here) == ["Use uv instead of pip."]


def test_a_lesson_without_a_checkout_waits_for_one_by_its_name(
    ada: Workspace, bob: Workspace, tmp_path: Path
) -> None:
    report = exchange.import_document(bob, _carried(ada))
    assert report.nowhere == (NAME,)
    assert NAME in str(report)
    (draft,) = queue.listing(bob, "draft")
    verdicts.promote(bob, draft.id)
    late = _clone(tmp_path / "late", _remote("ssh://github.com/acme/shop"))
    assert _stopped(bob, late) == ["Use uv instead of pip."]


def test_a_folder_can_be_named_for_what_has_no_checkout(
    ada: Workspace, bob: Workspace, tmp_path: Path
) -> None:
    folder = _clone(tmp_path / "plain", "")
    exchange.import_document(bob, _carried(ada), folder)
    (draft,) = queue.listing(bob, "draft")
    verdicts.promote(bob, draft.id)
    assert _stopped(bob, folder) == ["Use uv instead of pip."]


def _carried(ws: Workspace, **options: bool) -> Any:
    return json.loads(json.dumps(exchange.export_document(ws, **options)))


@pytest.mark.parametrize("quotes", [False, True])
def test_an_export_names_no_path_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quotes: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    ws = workspace.open_workspace(str(tmp_path / "ada"))
    for folder in (_clone(tmp_path / "a", _remote(ADDRESS)), _clone(tmp_path / "b", "")):
        verdicts.add(ws, f"Write to {folder}/out.", scope="project", project=folder)
    document = exchange.export_document(ws, quotes=quotes)
    assert str(tmp_path) not in json.dumps(document)
    assert "s3cret" not in json.dumps(document)
    assert {lesson["project"] for lesson in document["lessons"]} == {NAME, "~/b"}
    assert {lesson["statement"] for lesson in document["lessons"]} == {
        f"Write to {NAME}/out.",
        "Write to ~/b/out.",
    }


def test_an_own_export_finds_its_folders_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    ws = workspace.open_workspace(str(tmp_path / "ada"))
    folder = _clone(tmp_path / "b", "")
    verdicts.add(ws, "Use uv instead of pip.", scope="project", project=folder)
    other = workspace.open_workspace(str(tmp_path / "bob"))
    exchange.import_document(other, _carried(ws))
    assert [lesson.project for lesson in Store(other.root).lessons()] == [folder]


def test_quotes_leave_only_when_asked(ada: Workspace) -> None:
    (lesson,) = queue.listing(ada, "active")
    verdicts.edit(ada, lesson.id, {"description": "From: no, don't use pip here, use uv"})
    (plain,) = _carried(ada)["lessons"]
    (full,) = _carried(ada, quotes=True)["lessons"]
    assert (plain["description"], plain["evidence"]) == ("", [])
    assert full["description"].startswith("From: ")
    assert set(_carried(ada)) == {"version", "lessons", "signatures"}


def test_the_same_in_other_words_is_known(ada: Workspace, bob: Workspace, tmp_path: Path) -> None:
    here = _clone(tmp_path / "bobs", _remote("git@github.com:acme/shop.git"))
    verdicts.add(bob, "Don't use pip here, use uv.", scope="project", project=here)
    report = exchange.import_document(bob, _carried(ada))
    assert (report.drafts, report.known) == (0, 1)


def test_what_was_rejected_in_one_clone_stays_rejected_in_the_other(
    ada: Workspace, bob: Workspace, tmp_path: Path
) -> None:
    _seen(bob, _clone(tmp_path / "bobs", _remote("git@github.com:acme/shop.git")))
    document = _carried(ada)
    exchange.import_document(bob, document)
    verdicts.reject(bob, queue.listing(bob, "draft")[0].id, "no")
    for lesson in document["lessons"]:
        lesson |= {"id": "abcdefgh", "statement": "Don't use pip here, use uv."}
    assert exchange.import_document(bob, document).known == 1
    assert queue.listing(bob, "draft") == []


def test_another_version_takes_an_untouched_drafts_place(ada: Workspace, bob: Workspace) -> None:
    exchange.import_document(bob, _carried(ada))
    verdicts.edit(ada, queue.listing(ada, "active")[0].id, {"statement": "Use uv instead of pip and poetry."})
    assert exchange.import_document(bob, _carried(ada)).changed == 1
    assert [lesson.statement for lesson in queue.listing(bob, "draft")] == [
        "Use uv instead of pip and poetry."
    ]
    assert exchange.import_document(bob, _carried(ada)).changed == 0


def test_another_version_of_what_is_in_use_is_asked_about(ada: Workspace, bob: Workspace) -> None:
    exchange.import_document(bob, _carried(ada))
    (mine,) = queue.listing(bob, "draft")
    verdicts.promote(bob, mine.id)
    verdicts.edit(ada, queue.listing(ada, "active")[0].id, {"statement": "Use uv instead of pip and poetry."})
    document = _carried(ada)
    assert exchange.import_document(bob, document).changed == 1
    assert exchange.import_document(bob, document).changed == 0
    (version,) = queue.listing(bob, "draft")
    assert (version.contradicts, version.trust) == (mine.id, "external")
    assert queue.listing(bob, "active")[0].statement == "Use uv instead of pip."
    (clash,) = contradictions.find_contradictions(Store(bob.root).lessons())
    assert clash.reason == "one is another version of the other"
    verdicts.replace(bob, version.id, mine.id)
    assert exchange.import_document(bob, document).known == 1
    assert [lesson.statement for lesson in queue.listing(bob, "active")] == [
        "Use uv instead of pip and poetry."
    ]


def test_an_own_edit_is_no_other_version(ada: Workspace, bob: Workspace) -> None:
    exchange.import_document(bob, _carried(ada))
    (mine,) = queue.listing(bob, "draft")
    verdicts.promote(bob, mine.id)
    verdicts.edit(bob, mine.id, {"keywords": ["uv"]})
    report = exchange.import_document(bob, _carried(ada))
    assert (report.changed, report.known) == (0, 1)


def test_a_hostile_name_is_none(ada: Workspace, bob: Workspace) -> None:
    document = _carried(ada)
    document["lessons"][0] |= {"repo": "../../etc", "contradicts": "abcd"}
    exchange.import_document(bob, document)
    (draft,) = queue.listing(bob, "draft")
    assert Lesson.model_validate(draft.as_json()).repo == NAME
    assert draft.contradicts == ""
