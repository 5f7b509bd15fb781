"""Lessons travel between homes and between checkouts, by a name that no hostile settings can spoil."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from learnloop.learn.lessons import contradictions
from learnloop.models import Lesson
from learnloop.service import workspace
from learnloop.service.lessons import query, queue
from learnloop.service.review import verdicts
from learnloop.service.transfer import exchange
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import origin, project
from tests.service.sessions import history
from tests.service.transfer import checkouts

ADDRESS = "https://ada:s3cret@github.com:443/Acme/Shop.git"
NAME = "github.com/acme/shop"


@pytest.fixture
def ada(tmp_path: Path) -> Workspace:
    """A store with one lesson of a clone that has credentials in its address."""
    ws = workspace.open_workspace(str(tmp_path / "ada"))
    folder = checkouts.clone(tmp_path / "one" / "shop", checkouts.remote(ADDRESS))
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


@pytest.mark.parametrize(
    ("config", "name"),
    [
        (checkouts.remote(ADDRESS), NAME),
        (checkouts.remote("git@github.com:acme/shop.git"), NAME),
        (checkouts.remote("ssh://git@github.com:22/acme/shop/"), NAME),
        (checkouts.remote("https://github.com/acme/shop?access_token=s3cret#x"), NAME),
        (checkouts.remote("gh:acme/shop") + '[url "https://github.com/"]\n\tinsteadOf = gh:\n', NAME),
        ('[remote "upstream"]\nurl = https://github.com/a/b\n' + checkouts.remote(ADDRESS), NAME),
        ('[Remote "origin"] url = "https://github.com/acme/shop"\n', NAME),
        (checkouts.remote("work:acme/shop"), "work/acme/shop"),
        (checkouts.remote("https://ada:a/b@github.com/acme/shop"), ""),
        (checkouts.remote("/srv/git/shop.git"), ""),
        (checkouts.remote("../shop"), ""),
        (checkouts.remote("file:///srv/git/shop.git"), ""),
        (checkouts.remote("C:/git/shop"), ""),
        (checkouts.remote("git@github.com:../../etc/passwd"), ""),
        (checkouts.remote("https://github.com/" + "a" * 900), ""),
        (checkouts.remote("https://github.com/ac\x1b[31mme/shop"), ""),
        ("[core]\n\tbare = false\n", ""),
        ("", ""),
        ("\x00\xff[remote \"origin\"]", ""),
        ("#" * (1 << 18) + "\n" + checkouts.remote(ADDRESS), ""),
    ],
)  # fmt: skip
def test_the_name_is_that_of_the_origin_and_has_no_secret(tmp_path: Path, config: str, name: str) -> None:
    assert origin.name(checkouts.clone(tmp_path / "shop", config)) == name


def _fifo(folder: Path) -> None:
    os.mkfifo(folder / ".git" / "config")


def _link_out(folder: Path) -> None:
    (folder.parent / "outside").write_text(checkouts.remote(ADDRESS))
    (folder / ".git" / "config").symlink_to(folder.parent / "outside")


def _folder(folder: Path) -> None:
    (folder / ".git" / "config").mkdir()


def _file_of_nothing(folder: Path) -> None:
    (folder / ".git").rmdir()
    (folder / ".git").write_bytes(b"gitdir: \x00/\xff")


def _linked_git(folder: Path) -> None:
    (folder / ".git").rmdir()
    (folder / ".git").symlink_to(
        checkouts.clone(folder.parent / "other", checkouts.remote(ADDRESS)) + "/.git"
    )


@pytest.mark.parametrize("make", [_fifo, _link_out, _folder, _file_of_nothing, _linked_git])
def test_settings_that_are_no_plain_file_name_nothing(tmp_path: Path, make: Callable[[Path], None]) -> None:
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    make(folder)
    assert origin.name(str(folder)) == ""


def test_a_worktree_and_a_submodule_have_the_names_of_their_repositories(tmp_path: Path) -> None:
    main = Path(checkouts.clone(tmp_path / "shop", checkouts.remote(ADDRESS)))
    (main / ".git" / "worktrees" / "w").mkdir(parents=True)
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / ".git").write_text(f"gitdir: {main}/.git/worktrees/w\n")
    (main / ".git" / "worktrees" / "w" / "gitdir").write_text(f"{tmp_path}/w/.git\n")
    assert origin.name(project.find(str(tmp_path / "w"))) == NAME
    (main / ".git" / "modules" / "lib").mkdir(parents=True)
    (main / ".git" / "modules" / "lib" / "config").write_text(checkouts.remote("git@github.com:acme/lib.git"))
    (main / "lib").mkdir()
    (main / "lib" / ".git").write_text("gitdir: ../.git/modules/lib\n")
    assert origin.name(str(main / "lib")) == "github.com/acme/lib"


def test_a_second_clone_hears_the_first_ones_lesson_and_others_do_not(ada: Workspace, tmp_path: Path) -> None:
    second = checkouts.clone(tmp_path / "two" / "shop", checkouts.remote("git@github.com:acme/shop.git"))
    fork = checkouts.clone(tmp_path / "fork", checkouts.remote("git@github.com:bob/shop.git"))
    none = checkouts.clone(tmp_path / "three" / "shop", "")
    told = ["Use uv instead of pip."]
    assert [checkouts.stopped(ada, folder) for folder in (str(tmp_path / "one" / "shop"), second)] == [
        told,
        told,
    ]
    assert [checkouts.stopped(ada, folder) for folder in (fork, none, "")] == [[], [], []]
    assert [lesson.statement for lesson in query.query(ada, project=second)] == told
    assert query.query(ada, project=fork) == []


def test_a_carried_lesson_stops_the_call_in_the_other_homes_checkout(
    ada: Workspace, bob: Workspace, tmp_path: Path
) -> None:
    here = _seen(bob, checkouts.clone(tmp_path / "bobs", checkouts.remote("git@github.com:acme/shop.git")))
    exchange.import_document(bob, _carried(ada))
    (draft,) = queue.listing(bob, "draft")
    assert (draft.project, draft.repo, draft.stops) == (here, NAME, False)
    assert checkouts.stopped(bob, here) == []
    verdicts.promote(bob, draft.id)
    assert checkouts.stopped(bob, here) == ["Use uv instead of pip."]


def test_a_lesson_without_a_checkout_waits_for_one_by_its_name(
    ada: Workspace, bob: Workspace, tmp_path: Path
) -> None:
    report = exchange.import_document(bob, _carried(ada))
    assert report.nowhere == (NAME,)
    assert NAME in str(report)
    (draft,) = queue.listing(bob, "draft")
    verdicts.promote(bob, draft.id)
    late = checkouts.clone(tmp_path / "late", checkouts.remote("ssh://github.com/acme/shop"))
    assert checkouts.stopped(bob, late) == ["Use uv instead of pip."]


def _carried(ws: Workspace, **options: bool) -> Any:
    return json.loads(json.dumps(exchange.export_document(ws, **options)))


@pytest.mark.parametrize("quotes", [False, True])
def test_an_export_names_no_path_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quotes: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    ws = workspace.open_workspace(str(tmp_path / "ada"))
    for folder in (
        checkouts.clone(tmp_path / "a", checkouts.remote(ADDRESS)),
        checkouts.clone(tmp_path / "b", ""),
    ):
        verdicts.add(ws, f"Write to {folder}/out.", scope="project", project=folder)
    document = exchange.export_document(ws, quotes=quotes)
    assert str(tmp_path) not in json.dumps(document)
    assert "s3cret" not in json.dumps(document)
    assert {lesson["project"] for lesson in document["lessons"]} == {NAME, "~/b"}
    assert {lesson["statement"] for lesson in document["lessons"]} == {
        f"Write to {NAME}/out.",
        "Write to ~/b/out.",
    }


def test_quotes_leave_only_when_asked(ada: Workspace) -> None:
    (lesson,) = queue.listing(ada, "active")
    verdicts.edit(ada, lesson.id, {"description": "From: no, don't use pip here, use uv"})
    (plain,) = _carried(ada)["lessons"]
    (full,) = _carried(ada, quotes=True)["lessons"]
    assert (plain["description"], plain["evidence"]) == ("", [])
    assert full["description"].startswith("From: ")
    assert set(_carried(ada)) == {"version", "lessons", "signatures"}


def test_what_was_rejected_in_one_clone_stays_rejected_in_the_other(
    ada: Workspace, bob: Workspace, tmp_path: Path
) -> None:
    _seen(bob, checkouts.clone(tmp_path / "bobs", checkouts.remote("git@github.com:acme/shop.git")))
    document = _carried(ada)
    exchange.import_document(bob, document)
    verdicts.reject(bob, queue.listing(bob, "draft")[0].id, "no")
    for lesson in document["lessons"]:
        lesson |= {"id": "abcdefgh", "statement": "Don't use pip here, use uv."}
    assert exchange.import_document(bob, document).known == 1
    assert queue.listing(bob, "draft") == []


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


def test_a_hostile_name_is_none(ada: Workspace, bob: Workspace) -> None:
    document = _carried(ada)
    document["lessons"][0] |= {"repo": "../../etc", "contradicts": "abcd"}
    exchange.import_document(bob, document)
    (draft,) = queue.listing(bob, "draft")
    assert Lesson.model_validate(draft.as_json()).repo == NAME
    assert draft.contradicts == ""


def test_a_verdict_from_before_a_project_had_a_name_holds_in_every_checkout(
    root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    ws = workspace.open_workspace(root)
    history.play(root, history.IN_APP, checkouts.clone(first, ""), history.START_MS)
    workspace.ingest(ws, wait_s=1.0)
    (draft,) = queue.listing(ws, "draft")
    assert draft.repo == ""
    verdicts.reject(ws, draft.id, "no")
    (first / ".git" / "config").write_text(checkouts.remote(ADDRESS))
    checkouts.clone(second, checkouts.remote("git@github.com:acme/shop.git"))
    for number, folder in enumerate((first, second), 1):
        session = f"eeee{number}111-0000-4000-8000-000000000001"
        monkeypatch.setitem(history.SAID, session, history.SAID[history.IN_APP])
        history.play(root, session, str(folder), history.START_MS + number * 10_000_000)
    workspace.ingest(ws, wait_s=1.0)
    (lesson,) = Store(root).lessons()
    assert (lesson.status, lesson.held_back) == ("rejected", 2)
