"""The files of the daily logs: made once a day is over, made anew where events come late, gone with them."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from learnloop.ingest import day_logs
from learnloop.ingest.run import ingest
from learnloop.service.setup import settings_file
from learnloop.service.transfer import forget
from learnloop.service.workspace import open_workspace
from learnloop.wire import clock
from tests.ingest.session_scene import Scene, without_turns, write

NOON = clock.parse_ms("2026-03-10T12:00:00.000Z")
DAY_MS = 86_400_000


def scene(session: str = "s1", at_ms: int = NOON, words: str = "Add a cart page") -> Scene:
    return (
        Scene(session, start=at_ms).prompt(words, "p1").call("Edit", "/code/shop/a.py").stop(prompt_id="p1")
    )


def notes(root: str) -> Path:
    """Where the person wants the logs."""
    return Path(root).parent / "notes"


def refreshed(
    root: str, *scenes: Scene, now_ms: int = NOON + DAY_MS, zone: ZoneInfo | None = None
) -> dict[str, str]:
    write(root, *scenes)
    ingest(root)
    folder = notes(root)
    folder.mkdir(exist_ok=True)
    settings_file.set_("log.folder", str(folder))
    day_logs.refresh(root, now_ms, zone or ZoneInfo("UTC"))
    return {path.name: path.read_text() for path in folder.glob("*.md")}


def busy(pages: dict[str, str]) -> list[str]:
    """The pages of days with tasks."""
    return [name for name, page in pages.items() if "No task on this day." not in page]


def test_a_day_gets_its_log_once_it_is_over(root: str) -> None:
    assert refreshed(root, scene(), now_ms=NOON + 3_600_000) == {}
    pages = refreshed(root)
    assert list(pages) == ["2026-03-10.md"]
    assert "- [ ] Add a cart page (unknown" in pages["2026-03-10.md"]


def test_missed_days_of_a_week_get_theirs_and_quiet_ones_say_so(root: str) -> None:
    pages = refreshed(root, scene(), scene("s2", NOON + 2 * DAY_MS), now_ms=NOON + 7 * DAY_MS)
    assert sorted(pages) == [f"2026-03-{day}.md" for day in range(10, 17)]
    assert sorted(busy(pages)) == ["2026-03-10.md", "2026-03-12.md"]


def test_a_quiet_day_gets_its_log_on_the_next_day_and_loses_it_with_the_tasks_before(root: str) -> None:
    refreshed(root, scene())
    assert "No task on this day." in refreshed(root, now_ms=NOON + 2 * DAY_MS)["2026-03-11.md"]
    assert len(refreshed(root, now_ms=NOON + 5 * DAY_MS)) == 5
    without_turns(root)
    assert refreshed(root, now_ms=NOON + 6 * DAY_MS) == {}


def test_a_quiet_day_that_gets_late_events_is_made_anew(root: str) -> None:
    refreshed(root, scene(), now_ms=NOON + 4 * DAY_MS)
    late = scene("s2", NOON + 2 * DAY_MS, "Write the docs")
    pages = refreshed(root, late, now_ms=NOON + 4 * DAY_MS + 60_000)
    assert "Write the docs" in pages["2026-03-12.md"]
    assert "No task on this day." in pages["2026-03-11.md"]


@pytest.mark.parametrize(("day", "hours"), [("2026-03-29", 23), ("2026-10-25", 25)])
def test_a_day_of_another_length_has_all_its_tasks_and_no_other(root: str, day: str, hours: int) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    begin = round(datetime.fromisoformat(day).replace(tzinfo=berlin).timestamp() * 1000)
    ends = {
        "before": -60_000,
        "first": 60_000,
        "last": hours * 3_600_000 - 60_000,
        "after": hours * 3_600_000,
    }
    scenes = [scene(name, begin + at, f"The {name} task of the day") for name, at in ends.items()]
    pages = refreshed(root, *scenes, now_ms=begin + 3 * DAY_MS, zone=berlin)
    page = pages[f"{day}.md"]
    assert [name for name in ends if f"The {name} task" in page] == ["first", "last"]
    Path(root, "days", ".made").unlink()
    assert refreshed(root, now_ms=begin + 3 * DAY_MS, zone=berlin) == pages


def test_a_clock_that_goes_back_changes_no_log_and_loses_none(root: str) -> None:
    pages = refreshed(root, scene(), scene("s2", NOON + DAY_MS), now_ms=NOON + 4 * DAY_MS)
    assert refreshed(root, now_ms=NOON + DAY_MS) == pages
    assert refreshed(root, now_ms=NOON - 400 * DAY_MS) == pages
    assert refreshed(root, now_ms=NOON + 4 * DAY_MS) == pages


def test_late_events_make_their_day_anew_and_nothing_else_is_written(root: str) -> None:
    refreshed(root, scene(), scene("s2", NOON + DAY_MS), now_ms=NOON + 3 * DAY_MS)
    (first,), (second,) = (list(notes(root).glob(f"2026-03-{day}.md")) for day in (10, 11))
    before = second.stat().st_ino
    pages = refreshed(root, scene("s3", NOON + 60_000, "Write the docs"), now_ms=NOON + 3 * DAY_MS + 60_000)
    assert "Write the docs" in pages["2026-03-10.md"]
    assert second.stat().st_ino == before
    assert first.exists()


def test_making_them_anew_gives_the_same_bytes(root: str) -> None:
    pages = refreshed(root, scene(), Scene("s2", start=NOON + 5000).corrected())
    Path(root, "days", ".made").write_text("no json")
    inode = {path: path.stat().st_ino for path in notes(root).glob("*.md")}
    assert refreshed(root) == pages
    assert {path: path.stat().st_ino for path in inode} == inode


@pytest.mark.parametrize(("zone", "day"), [("Pacific/Auckland", "11"), ("Pacific/Honolulu", "10")])
def test_a_day_is_the_persons_own(root: str, zone: str, day: str) -> None:
    pages = refreshed(root, scene(at_ms=NOON + 2 * 3_600_000), zone=ZoneInfo(zone), now_ms=NOON + 3 * DAY_MS)
    assert busy(pages) == [f"2026-03-{day}.md"]


def test_another_time_zone_moves_a_task_to_its_day_there(root: str) -> None:
    refreshed(root, scene(), now_ms=NOON + 3 * DAY_MS)
    pages = refreshed(root, zone=ZoneInfo("Pacific/Auckland"), now_ms=NOON + 3 * DAY_MS + DAY_MS)
    assert busy(pages) == ["2026-03-11.md"]


def test_what_is_forgotten_is_gone_from_the_logs(root: str) -> None:
    refreshed(root, scene(), scene("s2", words="Plant the canary"))
    forget.forget(open_workspace(root), session="s2")
    pages = refreshed(root, now_ms=NOON + 2 * DAY_MS)
    assert "canary" not in pages["2026-03-10.md"]


def test_what_the_last_day_left_open_is_kept_for_the_next_start_unless_it_is_switched_off(root: str) -> None:
    def kept() -> tuple[str, str]:
        left = json.loads(Path(root, "days", ".open").read_text())
        return left["day"], left["words"]

    stopped = Scene("s2", start=NOON).prompt("Plant the canary", "p1").call("Edit", "/code/shop/b.py")
    refreshed(root, scene(), stopped.call("Bash", "make", "refusal").add("session_end"), now_ms=NOON)
    assert kept() == ("2026-03-10", "“Plant the canary”")
    refreshed(root, scene("s3", NOON + DAY_MS), now_ms=NOON + DAY_MS)
    assert kept() == ("2026-03-11", "")
    settings_file.set_("log.at_start", "false")
    refreshed(root, now_ms=NOON + 2 * DAY_MS)
    assert not Path(root, "days", ".open").exists()


def test_what_the_person_wrote_in_that_folder_stays(root: str) -> None:
    refreshed(root, scene())
    log = notes(root) / "2026-03-10.md"
    log.write_text("my own words")
    refreshed(root, scene("s2", NOON + 60_000), now_ms=NOON + 2 * DAY_MS)
    assert log.read_text() == "my own words"


def test_a_log_is_without_front_matter_where_that_is_asked_for(root: str) -> None:
    settings_file.set_("log.front_matter", "false")
    refreshed(root, scene())
    log = refreshed(root, scene("s2", NOON + 60_000, "Write the docs"), now_ms=NOON + 2 * DAY_MS)
    assert log["2026-03-10.md"].startswith("<!-- status: auto-generated -->")
    assert "Write the docs" in log["2026-03-10.md"]


def test_one_page_has_the_tasks_of_all_projects(root: str) -> None:
    other = Scene("s2", "/code/site", NOON + 60_000).prompt("Write the docs of the site", "p1")
    pages = refreshed(root, scene(), other.stop(prompt_id="p1"), now_ms=NOON + 2 * DAY_MS)
    assert "2 pieces of work in 2 projects" in pages["2026-03-10.md"]


def test_without_a_folder_no_log_is_a_file_and_those_of_a_former_program_go(root: str) -> None:
    write(root, scene())
    ingest(root)
    folder = Path(root, "days")
    folder.mkdir()
    folder.joinpath("2026-03-10.md").write_text("---\nstatus: auto-generated\n---\n")
    day_logs.refresh(root, NOON + DAY_MS, ZoneInfo("UTC"))
    assert [*folder.glob("*.md")] == []
    assert day_logs.past_days(root, ZoneInfo("UTC")) == ["2026-03-10"]


@pytest.mark.parametrize(("zone", "day"), [("Pacific/Auckland", "11"), ("Pacific/Honolulu", "10")])
def test_a_past_day_is_listed_as_the_persons_own(root: str, zone: str, day: str) -> None:
    write(root, scene(at_ms=NOON + 2 * 3_600_000))
    ingest(root)
    assert day_logs.past_days(root, ZoneInfo(zone)) == [f"2026-03-{day}"]


def test_several_days_are_one_log(root: str) -> None:
    write(root, scene(), scene("s2", NOON - 2 * DAY_MS, "Write the docs"))
    ingest(root)
    log = day_logs.Logs(root, "2026-03-08", "2026-03-10", UTC).of("2026-03-10", "2026-03-08")
    assert [(task.title, task.started[:10]) for task in log.tasks] == [
        ("Write the docs", "2026-03-08"), ("Add a cart page", "2026-03-10"),
    ]  # fmt: skip


def test_a_named_folder_that_is_gone_is_not_made(root: str) -> None:
    refreshed(root, scene())
    shutil.rmtree(notes(root))
    day_logs.refresh(root, NOON + 2 * DAY_MS, ZoneInfo("UTC"))
    assert not notes(root).exists()


def test_events_of_impossible_times_stop_no_log(root: str) -> None:
    odd = scene("s2")
    for number, event in enumerate(odd.events):
        event["ts"] = ("0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "2026-13-45T00:00:00.000Z")[
            number
        ]
    assert list(refreshed(root, scene(), odd)) == ["2026-03-10.md"]
