"""Five types of memories out of tasks, each once however many tasks say it."""

from tempfile import TemporaryDirectory
from typing import Any

import pytest

from learnloop.ingest import task_history
from learnloop.learn.tasks import memory_kinds
from learnloop.models.memory import LONGEST_TEXT, Memory
from learnloop.models.task import Task
from learnloop.store import history
from learnloop.store.document_table import DayEntry
from learnloop.store.memory_table import MemoryTable
from learnloop.store.task_table import TaskTable

PROJECT = "/code/shop"


def task(number: int, title: str = "Add a guest checkout", **fields: Any) -> Task:
    steps = fields.pop("steps", [("Edit", "src/cart.ts"), ("Bash", "npm test")])
    files = [f"{PROJECT}/{target}" for tool, target, *_ in steps if tool == "Edit"]
    keys = ("tool", "target", "result", "error_class")
    return Task.model_validate({
        "id": f"{number:032x}", "title": title, "input": title, "agent": "main", "session_id": f"s{number}",
        "started": f"2026-03-{number % 28 + 1:02d}T10:00:00.000Z", "project": PROJECT, "host": "claude",
        "outcome": "success", "known": "said", "calls": len(steps), "files": files,
        "commands": [target for tool, target, *_ in steps if tool == "Bash"],
        "steps": [dict(zip(keys, _absolute(step), strict=False)) for step in steps],
    } | fields)  # fmt: skip


def _absolute(step: tuple[str, ...]) -> tuple[str, ...]:
    tool, target, *rest = step
    return (tool, f"{PROJECT}/{target}" if tool == "Edit" else target, *rest)


def memories(*tasks: Task, keep_days: int = 0) -> list[Memory]:
    """The memories of some tasks, joined by a database of their own."""
    day = DayEntry("2026-03-01", "x", 1)
    entries = [task_history.entry(each, day.day) for each in sorted(tasks, key=_started, reverse=True)]
    with TemporaryDirectory() as root, history.opened(root) as connection:
        table = MemoryTable(connection)
        for number, added in TaskTable(connection).replace_day(day, entries).added:
            if added.said:
                table.add(number, added.said)
        table.replace_meanings(memory_kinds.meanings(table.sources(1_000)))
        return [memory_kinds.memory(joined, keep_days) for joined in table.newest()]


def _started(task: Task) -> str:
    return task.started


def of_type(kind: str, *tasks: Task) -> list[Memory]:
    return [memory for memory in memories(*tasks) if memory.type == kind]


def test_every_task_that_did_something_is_an_episode() -> None:
    done, idle = task(1), task(2, steps=[])
    (episode,) = of_type("episodic", done, idle)
    assert episode.id == f"episodic-{done.id}"
    assert episode.text == "Add a guest checkout: success; wrote src/cart.ts; ran npm test"
    assert (episode.confidence, episode.ts, episode.seen) == (0.9, done.started, 1)


def test_the_same_again_is_one_memory_that_was_seen_more_often() -> None:
    episode, *others = of_type("episodic", task(1), task(2), task(3, "Write the manual"))
    assert [episode.seen, *(each.seen for each in others)] == [1, 2]
    assert others[0].id == f"episodic-{task(1).id}"
    assert others[0].tasks == (task(2).id, task(1).id)


ASKED = "Move the guest checkout of release 2.4.1 into the sidebar"
CART, MANUAL = ("Edit", "src/cart.ts"), ("Edit", "docs/manual.md")


@pytest.mark.parametrize(("title", "fields", "seen"), [
    ("ok, please move the guest checkout of release 2.5.0 into the sidebar", {"steps": [CART, MANUAL]}, 2),
    ("Into the sidebar move the checkout of guests, release 2026-03-01", {"steps": [CART]}, 2),
    ("Do not move the guest checkout of release 2.4.1 into the sidebar", {"steps": [CART]}, 1),
    ("Move the guest checkout of release 2.4.1 into the footer", {"steps": [CART]}, 1),
    (f"{ASKED}, phase 3", {"steps": [CART]}, 1), (ASKED, {"steps": [MANUAL, CART]}, 1),
    (ASKED, {"steps": [CART], "outcome": "revised"}, 1), (ASKED, {"project": "/code/other"}, 1),
])  # fmt: skip
def test_requests_for_the_same_at_the_same_file_are_one_episode(
    title: str, fields: dict[str, Any], seen: int
) -> None:
    every = task(1, ASKED, steps=[CART]), task(2, title, **fields)
    for tasks in (every, every[::-1]):
        assert {memory.seen for memory in of_type("episodic", *tasks)} == {seen}


@pytest.mark.parametrize(("first", "second"), [
    ("Do step 641", "Do step 642"), ("部署", "测试"), ("1", "2"),
    ("Write phase 3 of the checkout plan", "Write phase 4 of the checkout plan"),
])  # fmt: skip
def test_what_says_little_is_the_same_episode_only_as_a_whole(first: str, second: str) -> None:
    assert [memory.seen for memory in of_type("episodic", task(1, first), task(2, second))] == [1, 1]
    assert [memory.seen for memory in of_type("episodic", task(1, first), task(2, first))] == [2]


def test_the_same_steps_in_another_order_are_one_procedure() -> None:
    steps = [CART, MANUAL, ("Bash", "npm test")]
    (procedure,) = of_type("procedural", task(1, steps=steps), task(2, steps=steps[::-1]))
    assert procedure.seen == 2


def test_a_procedure_is_the_way_that_worked_without_what_was_undone() -> None:
    steps = [
        ("Edit", "src/wrong.ts"), ("Bash", "npm test", "failed", "AssertionError"), ("Read", "src/cart.ts"),
        ("Bash", "git checkout src/wrong.ts"), ("Edit", "src/cart.ts"), ("Bash", "npm test"),
    ]  # fmt: skip
    assert memory_kinds.procedure(task(1, steps=steps)) == (
        "change src/cart.ts",
        "run npm test",
    )
    assert memory_kinds.procedure(task(1, steps=steps, outcome="unknown")) == ()
    (procedure,) = of_type("procedural", task(1), task(2))
    assert procedure.seen == 2
    assert procedure.text == "Add a guest checkout: change src/cart.ts, then run npm test"


@pytest.mark.parametrize(("prompt", "heading"), [
    ("Dude.... you are DUMB today. Please put a line between agents!", "put a line between agents: "),
    ("ok, so now let's count the guests of a checkout", "count the guests of a checkout: "),
    ("Implement the following plan:\n\n# Dark mode for the cart", ""), ("Refactor now", ""),
    ("Wait... slow down. Why so many returns?", ""), ("do 68", ""), ("", ""),
])  # fmt: skip
def test_a_procedure_is_headed_by_what_was_asked_for_or_by_nothing(prompt: str, heading: str) -> None:
    (procedure,) = of_type("procedural", task(1, prompt[:100], input=prompt))
    assert procedure.text == f"{heading}change src/cart.ts, then run npm test"


def test_an_error_is_remembered_with_what_mended_it() -> None:
    failed = ("Bash", "npm test", "failed", "TypeError: cart is undefined")
    (fix,) = of_type("technical", task(1, steps=[failed, ("Edit", "src/cart.ts"), ("Bash", "npm test")]))
    assert fix.text == "npm test failed (TypeError: cart is undefined) and passed after src/cart.ts"
    assert of_type("technical", task(1, steps=[failed])) == []


NAMING = "Let `cart.total()` round, and `cart.ts` too. I saw loadCart and LoadCart on GitHub, in the `shop`."


def test_a_symbol_that_the_person_named_is_remembered_with_what_changed_and_proved_it() -> None:
    steps = [("Bash", "npm run build"), ("Edit", "src/page.ts"), ("Bash", "npm test"), ("Bash", "ls")]
    every = of_type("technical", *(task(n, NAMING, steps=steps) for n in (1, 2)))
    assert {(memory.text, memory.seen) for memory in every} == {
        ("work on `cart.total` changed src/page.ts; proved by npm test", 2),
        ("work on `LoadCart` changed src/page.ts; proved by npm test", 2),
    }


@pytest.mark.parametrize("fields", [
    {"outcome": "unknown"}, {"steps": [("Bash", "npm test")]},
    {"input": "```\nloadCart failed\n```\nMend it"},
    {"steps": [("Edit", f"src/{n}.ts") for n in range(6)]},
])  # fmt: skip
def test_no_symbol_is_remembered_where_little_was_learnt_of_it(fields: dict[str, Any]) -> None:
    assert of_type("technical", task(1, NAMING, **fields)) == []


def test_a_word_means_the_file_that_its_tasks_write() -> None:
    other = [task(n, f"Describe chapter number{n}", steps=[("Edit", f"book/{n}.md")]) for n in range(10, 20)]
    checkouts = [task(n, f"Mend the checkout of page{n}") for n in range(4)]
    meanings = {memory.text for memory in of_type("semantic", *checkouts, *other)}
    assert "“checkout” is about src/cart.ts: 4 of 4 tasks wrote it (4 success)" in meanings
    assert not any("chapter" in text for text in meanings)
    unjudged = [each.with_(outcome="unknown", known="none") for each in checkouts]
    assert of_type("semantic", *unjudged, *other) == []


def test_an_error_is_remembered_by_what_acts_and_by_short_names() -> None:
    script = "cd src && python seed.py <<'EOF'\nprint(1)\nEOF"
    for tool, target, named in (
        ("Bash", script, "python seed.py <<'EOF'"), ("Edit", "src/cart.ts", "src/cart.ts"),
    ):  # fmt: skip
        steps = [(tool, target, "failed", "no match"), ("Bash", "npm install left-pad\nls"), (tool, target)]
        (fix,) = of_type("technical", task(1, steps=steps))
        assert fix.text == f"{named} failed (no match) and passed after npm install left-pad"
    looked = [("Bash", "grep -rn cart src | head", "failed", "no match"), ("Edit", "src/cart.ts")]
    assert of_type("technical", task(1, steps=[*looked, ("Bash", looked[0][1])])) == []


def test_words_of_any_project_mean_no_file() -> None:
    other = [task(n, f"Describe chapter number{n}", steps=[("Edit", f"book/{n}.md")]) for n in range(10, 20)]
    sure = [task(n, f"I'm sure we can send page{n} together") for n in range(4)]
    assert of_type("semantic", *sure, *other) == []


@pytest.mark.parametrize(("word", "file", "count"), [
    ("recent", "src/cart.ts", 0), ("notice", "src/cart.ts", 0), ("help", "src/cart.ts", 0),
    ("sprocket", "src/cart.ts", 1), ("workflow", ".github/workflow.yml", 1),
])  # fmt: skip
def test_an_everyday_word_means_only_a_file_that_all_its_tasks_wrote_or_that_it_names(
    word: str, file: str, count: int
) -> None:
    other = [task(n, f"Describe chapter number{n}", steps=[("Edit", f"book/{n}.md")]) for n in range(10, 20)]
    wrote = [task(n, f"Mend {word} page{n}", steps=[("Edit", file)]) for n in range(3)]
    elsewhere = task(3, f"Mend {word} page3", steps=[("Edit", "src/page.ts")])
    meanings = of_type("semantic", *wrote, elsewhere, *other)
    assert sum(f"“{word}”" in memory.text for memory in meanings) == count


def test_a_branch_where_programs_told_their_versions_is_the_context_of_its_tasks() -> None:
    many = [task(n, branch="main", versions=("npm 10.2",)) for n in (1, 2)]
    (context,) = of_type("context", *many, task(3, branch="main"), task(4))
    assert (context.text, context.seen) == ("Work on the branch main uses npm 10.2", 2)


def test_a_context_knows_the_newest_versions_of_programs() -> None:
    old, new = (
        task(1, branch="main", versions=("npm 9.1", "node 18.0")),
        task(2, branch="main", versions=("npm 10.2",)),
    )
    (context,) = of_type("context", old, new)
    assert context.text == "Work on the branch main uses node 18.0, npm 10.2"


@pytest.mark.parametrize("fields", [
    {"title": "部署 " * 40, "input": ""}, {"steps": [("Bash", "x" * 500)] * 60},
    {"known": "none", "outcome": "unknown"},
])  # fmt: skip
def test_odd_tasks_make_memories_of_measured_length(fields: dict[str, Any]) -> None:
    derived = memories(task(1, **fields), keep_days=90)
    assert derived
    assert all(len(memory.text) <= LONGEST_TEXT for memory in derived)
    assert {memory.expires for memory in derived} == {"2026-05-31T10:00:00.000Z"}
    assert len({memory.id for memory in derived}) == len(derived)
