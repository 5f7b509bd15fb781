"""The index of earlier tasks follows the store, at a cost that follows what is new."""

from pathlib import Path

from learnloop.ingest import earlier_tasks
from learnloop.ingest.run import ingest
from learnloop.service.transfer import forget
from learnloop.service.workspace import open_workspace
from learnloop.wire import clock, earlier, paths
from tests.ingest.session_scene import Scene, write

NOON = clock.parse_ms("2026-03-10T12:00:00.000Z")
DAY_MS = 86_400_000
PROJECT = "/code/shop"
CORRECTION = "No, that's wrong, use pnpm instead of npm"


def scene(
    session: str, day: int = 0, words: str = "Add a guest checkout to the cart page", **prompt: str
) -> Scene:
    started = Scene(session, start=NOON + day * DAY_MS).prompt(words, "p1", **prompt)
    started.call("Edit", f"{PROJECT}/src/cart.ts", prompt_id="p1").call("Bash", "npm test")
    return started.stop(prompt_id="p1")


def corrected(session: str, day: int = 0, **prompt: str) -> Scene:
    """The same, and the person had it otherwise: agents are told that."""
    return scene(session, day, **prompt).prompt(CORRECTION, "p2").stop(prompt_id="p2")


def refreshed(root: str, *scenes: Scene) -> list[str]:
    """The names of the index's files after some more sessions."""
    write(root, *scenes)
    ingest(root)
    assert earlier_tasks.refresh(root)
    return sorted(path.name for path in Path(paths.earlier_tasks(root)).iterdir())


def lines(root: str, prompt: str = "guest checkout cart") -> list[str]:
    return [each["line"] for each, _ in earlier.nearest(earlier.sections(root, PROJECT), prompt, (), 9)]


def test_a_task_is_found_by_its_words_and_told_in_names_and_our_own_words(root: str) -> None:
    refreshed(root, corrected("s1"))
    assert lines(root) == [
        "2026-03-10 at src/cart.ts (“Add a guest checkout to the cart page”) the user corrected:"
        f" “{CORRECTION}”"
    ]
    assert lines(root, "something else") == []


def others(count: int = 40) -> list[Scene]:
    """Sessions about something else, all on the first day, each with a file of its own."""
    return [
        Scene(f"other{n}", start=NOON - DAY_MS + n * 60_000)
        .prompt(f"Translate chapter number{n} of the handbook", "p1")
        .call("Edit", f"{PROJECT}/book/{n}.md", prompt_id="p1")
        .stop(prompt_id="p1")
        for n in range(count)
    ]


def test_a_new_day_leaves_the_files_of_the_days_before_as_they_are(root: str) -> None:
    (base, *_) = refreshed(root, *others(), corrected("s0"))
    for day in (1, 2, 3):
        names = refreshed(root, corrected(f"s{day}", day))
        assert base in names
        assert len(names) <= 4
    assert len(lines(root)) == 4
    assert lines(root)[0].startswith("2026-03-13")


def test_who_waits_hears_how_many_tasks_are_read_and_nothing_where_none_is_new(root: str) -> None:
    heard: list[tuple[int, int]] = []
    write(root, *others(120), scene("s1"))
    ingest(root)
    for _ in range(2):
        assert earlier_tasks.refresh(root, progress=lambda done, total: heard.append((done, total)))
    assert heard == [(50, 121), (100, 121)]


def test_nothing_is_written_where_nothing_has_changed(root: str) -> None:
    names = refreshed(root, scene("s1"), scene("s2", 1))
    before = {path: path.stat().st_ino for path in Path(paths.earlier_tasks(root)).iterdir()}
    assert refreshed(root) == names
    assert {path: path.stat().st_ino for path in Path(paths.earlier_tasks(root)).iterdir()} == before


def test_late_words_change_what_a_task_came_to(root: str) -> None:
    refreshed(root, corrected("s1"), scene("other", 3))
    late = Scene("s1", start=NOON + 60_000).prompt("No, don't lose the totals, keep them in the ledger", "p3")
    refreshed(root, late.stop(prompt_id="p3"))
    assert any("keep them in the ledger" in line for line in lines(root))


def test_what_only_reports_a_failure_is_no_correction_to_tell(root: str) -> None:
    made = Scene("s1", start=NOON).prompt("Add a guest checkout to the cart page", "p1")
    made.call("Edit", f"{PROJECT}/src/cart.ts", prompt_id="p1").stop(prompt_id="p1")
    refreshed(root, made.prompt("No, I'm still seeing the same error on the page", "p2").stop(prompt_id="p2"))
    assert lines(root) == [""]


def test_what_mended_a_failure_is_told_in_names(root: str) -> None:
    made = Scene("s1", start=NOON).prompt("Add a guest checkout to the cart page", "p1")
    red = {"error": "TypeError: SECRET of the tool"}
    made.call("Bash", "npm test", "tool_failed", payload=red, prompt_id="p1")
    made.call("Edit", f"{PROJECT}/src/cart.ts", prompt_id="p1").call("Bash", "npm test", prompt_id="p1")
    refreshed(root, made.stop(prompt_id="p1"))
    assert lines(root) == [
        "2026-03-10 npm test failed, and passed after changes to src/cart.ts"
        " (“Add a guest checkout to the cart page”)"
    ]


def test_what_work_like_this_wrote_and_what_proved_it_is_one_line(root: str) -> None:
    total = f"{PROJECT}/src/total.ts"
    refreshed(root, *others(), *(
        scene(f"s{n}", n).call("Edit", total, prompt_id="p1").call("Bash", "npm test", prompt_id="p1")
        for n in range(3)
    ))  # fmt: skip
    sections = earlier.sections(root, PROJECT)
    near = [each for each, _ in earlier.nearest(sections, "guest checkout cart", (), 9)]
    assert earlier.work(sections, "guest checkout cart", near) == (
        "Work like this wrote src/cart.ts (3), src/total.ts (3); npm test proved it"
    )
    assert earlier.work(sections, "guest checkout", near[:1]) == ""
    assert earlier.work(sections, "guest checkout in Cart.ts", near) == "", "one that is named is no news"


def test_a_correction_of_work_on_several_files_is_not_told(root: str) -> None:
    made = scene("s1").call("Edit", f"{PROJECT}/src/total.ts", prompt_id="p1")
    refreshed(root, made.prompt(CORRECTION, "p2").stop(prompt_id="p2"))
    assert lines(root) == [""]


def test_words_that_nobody_is_sure_to_have_typed_are_not_told(root: str) -> None:
    refreshed(root, corrected("s1", headless="print"), corrected("s2", machine="task-notification"))
    assert set(lines(root)) <= {""}


def test_a_damaged_file_is_made_anew(root: str) -> None:
    names = refreshed(root, corrected("s1"))
    part = next(name for name in names if name != earlier.LIST)
    Path(paths.earlier_tasks(root), part).write_bytes(b"LLIX nonsense")
    refreshed(root)
    assert lines(root)


def test_what_is_forgotten_is_gone(root: str) -> None:
    refreshed(root, corrected("s1", words="Add the canary zebrafish checkout page"), corrected("s2", 1))
    forget.forget(open_workspace(root), session="s1")
    recall = Path(root, "recall")
    assert not any(b"zebrafish" in path.read_bytes() for path in recall.rglob("*") if path.is_file())
    refreshed(root)
    assert len(lines(root)) == 1
