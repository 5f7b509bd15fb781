"""learn report: the page of a real store, whole, narrowed down, and without what was said."""

from pathlib import Path

import pytest

from learnloop.ingest.run import ingest
from learnloop.wire import clock, journal
from tests.cli.store import Learn
from tests.ingest import agents_month as month


@pytest.fixture
def learn(root: str, capsys: pytest.CaptureFixture[str]) -> Learn:
    events = [event for session in month.events() for event in session]
    assert journal.append(root, [*events, month.promotion()])
    ingest(root, wait_s=5)
    return Learn(capsys)


def html(learn: Learn, *options: str) -> str:
    assert learn("report", "-o", "-", *options) == 0, learn.err
    return learn.out


def test_it_writes_one_file_that_only_its_owner_reads(learn: Learn, tmp_path: Path) -> None:
    target, link = tmp_path / "real.html", tmp_path / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    assert "link.html is a link" in learn.refused("report", "-o", str(link))
    assert (link.is_symlink(), target.read_text()) == (True, "old")
    assert learn("report", "-o", str(target)) == 0
    assert "It quotes you" in learn.out
    assert target.read_text("utf-8").startswith("<!doctype html>")
    assert target.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in tmp_path.glob("*.html*")) == ["link.html", "real.html"]


def test_without_a_place_it_stands_below_the_data_folder(
    learn: Learn, root: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*.html"))
    assert learn("report") == 0
    written = Path(root, "console", "report.html")
    assert f"Wrote {written}" in learn.out
    assert written.stat().st_mode & 0o777 == 0o600
    assert [path for path in sorted(tmp_path.rglob("*.html")) if path not in before] in ([], [written])


def test_quotes_are_left_out_on_request(learn: Learn) -> None:
    assert "no, use pnpm" in html(learn)
    page = html(learn, "--no-quotes")
    assert "no, use pnpm" not in page
    assert "<blockquote>" not in page
    assert "Use pnpm instead of npm." in page


def test_it_shows_only_what_happened_since(learn: Learn, monkeypatch: pytest.MonkeyPatch) -> None:
    newest = max(agent["last_updated"] for agent in learn.listing("agents"))
    monkeypatch.setattr(clock, "now_ms", lambda: clock.parse_ms(newest) + 40 * 86_400_000)
    assert "in UTC" in html(learn)
    late = html(learn, "--since", "30d")
    assert "No agent was at work." in late
    assert "Nothing was corrected twice." in late


def test_projects_of_one_name_are_told_apart(
    root: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    learn = Learn(capsys)
    for parent, tool in (("work", "npm"), ("play", "yarn")):
        (tmp_path / parent / "shop").mkdir(parents=True)
        assert learn("add", "--project", str(tmp_path / parent / "shop"), f"Use pnpm instead of {tool}.") == 0
    page = html(learn)
    assert "<small>work/shop</small>" in page
    assert "<small>play/shop</small>" in page
    assert "<small>work/shop</small>" not in html(learn, "--project", str(tmp_path / "play" / "shop"))
