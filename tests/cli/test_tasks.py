"""`learn sessions --tasks` and `learn sessions --log`: lists, filters, one task, days."""

import json
from typing import Any

import pytest

from learnloop.ingest.run import ingest
from learnloop.models.task import Task
from learnloop.service.lessons import completion_names
from learnloop.wire import clock
from tests.cli.store import Learn
from tests.ingest.session_scene import Scene, write

NOON = clock.parse_ms("2026-03-10T12:00:00.000Z")


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Learn:
    monkeypatch.setattr("learnloop.wire.clock.now_ms", lambda: NOON + 3 * 86_400_000)
    scene = (
        Scene(project="/code/shop", start=NOON)
        .prompt("Add a cart page", "p1")
        .call("Edit", "/code/shop/cart.py")
    )
    scene.call("Bash", "pytest", "tool_failed", payload={"error": "Exit code 1\nerror: 3 of 4"})
    scene.stop(prompt_id="p1").prompt("proceed", "p2").stop(prompt_id="p2")
    other = (
        Scene("s2", "/code/docs", NOON + 60_000).prompt("Write the guide \x1b[2J", "p1").stop(prompt_id="p1")
    )
    write(root, scene, other)
    ingest(root)
    return Learn(capsys)


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("outcome:revised", ""), ("-outcome:failed kind:code", ""), ("kind:code", "Add a cart page"),
        ("calls:>50", ""), ("calls:<1 -kind:code", "Write the guide"), ("turns:>1", "Add a cart page"),
        ("tag:haskell", ""), ("tag:python", "Add a cart page"), ("error:teapot", ""),
        ('error:"of <n>"', "Add a cart page"), ("turns:1 -error:n", "Write the guide"), ("branch:x", ""),
        ("agent:nobody", ""), ("project:docs,none", "Write the guide"), ("known:said", ""),
        ("guide", "Write the guide"), ("file:cart.py", "Add a cart page"), ("file:none", ""),
        ("started:<1d", ""), ("started:2026-03-10 known:none", "Write the guide"),
    ],
)  # fmt: skip
def test_tasks_that_do_not_fit_are_not_read(
    line: str, title: str, learn: Learn, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert learn("prime", "--memories") == 0
    tasks_read: list[str] = []
    read = Task.model_validate

    def counted(doc: dict[str, Any]) -> Task:
        tasks_read.append(doc["id"])
        return read(doc)

    monkeypatch.setattr(Task, "model_validate", counted)
    rows = learn.listing("sessions", "--tasks", line)
    assert [row["title"].split(" \x1b")[0] for row in rows] == ([title] if title else [])
    assert tasks_read == [row["id"] for row in rows]


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        (["--outcome", "failed"], ["Add a cart page"]),
        (["outcome:unknown"], ["Write the guide"]),
        (["cart"], ["Add a cart page"]),
        (["file:cart.py", "kind:code"], ["Add a cart page"]),
        (["--project", "docs"], ["Write the guide"]),
        (["--since", "2026-03-11"], []),
        (["--since", "4d", "turns:>1"], ["Add a cart page"]),
        (["deadbeef"], []),
    ],
)  # fmt: skip
def test_filters_choose(learn: Learn, words: list[str], titles: list[str]) -> None:
    assert [row["title"].split(" \x1b")[0] for row in learn.listing("sessions", "--tasks", *words)] == titles


def test_one_task_is_shown_by_the_beginning_of_its_id(learn: Learn) -> None:
    (cart,) = learn.listing("sessions", "--tasks", "cart")
    assert learn("sessions", "--tasks", cart["id"][:14]) == 0
    assert "  ✗ Bash pytest – error: <n> of <n>" in learn.out
    assert " ✗ failed, inferred" in learn.out
    assert learn("sessions", "--tasks", cart["turns"][1], "--json") == 0
    assert json.loads(learn.out)["id"] == cart["id"]


def test_show_shows_a_task_or_says_that_there_is_none(learn: Learn) -> None:
    (cart,) = learn.listing("sessions", "--tasks", "cart")
    assert learn("sessions", "--tasks", "show", cart["id"][:14]) == 0
    assert learn.out.startswith("Add a cart page\n")
    assert "learn sessions --tasks lists them" in learn.refused("sessions", "--tasks", "show", "deadbeef")
    assert learn.listing("sessions", "--tasks", "show", "cart") == []


def test_ids_are_completed_with_titles(root: str, learn: Learn) -> None:
    (cart,) = learn.listing("sessions", "--tasks", "cart")
    assert completion_names.tasks(root, cart["id"][:12]) == {cart["id"][:12]: "Add a cart page"}


def test_the_log_of_a_day_is_printed_of_all_projects_or_of_one(learn: Learn) -> None:
    assert learn("sessions", "--log", "2026-03-10") == 0
    assert "in 2 projects" in learn.out
    assert learn("sessions", "--log", "2026-03-10", "--project", "/code/shop") == 0
    assert "- [ ] Add a cart page (failed, inferred · code · 2 turns" in learn.out
    assert "## Left open" in learn.out
    assert "/code/docs" not in learn.out


@pytest.mark.parametrize("typed", ["2026-02-30", "tomorrow", "0000-01-01", "1", "-"])
def test_what_is_no_day_is_wrong_usage(learn: Learn, typed: str) -> None:
    assert learn("sessions", "--log", typed) == 2


def test_logs_of_the_last_days_are_asked_for_as_elsewhere(learn: Learn) -> None:
    for typed, count in (("3d", 4), ("1w", 8)):
        assert len({log["date"] for log in learn.listing("sessions", "--log", "--since", typed)}) == count


def test_a_day_without_a_task_is_said_so_instead_of_an_empty_page(learn: Learn) -> None:
    assert learn("sessions", "--log") == 0
    assert (learn.out, "No task on this day" in learn.err) == ("", True)
