"""The report page: what it shows, what it leaves out, and that no text gets out of its place."""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from learnloop.models.agent import AgentPerformance, Interval
from learnloop.service.charts.series import Histogram, WeekCount
from learnloop.service.health.health_report import Health
from learnloop.service.report import report_file
from learnloop.service.report.report_file import LessonResult, ReportView, Theme
from tests import browser

HOSTILE = (
    "</td></style><script>document.title='x'</script><img src=x onerror=\"document.title='x'\">\u202e{{7*7}}"
)
AGENT = AgentPerformance(
    agent_name=HOSTILE, turns=40, revision_count=10, corrected_rate=0.25,
    corrected_interval=Interval(low=0.14, high=0.4),
)  # fmt: skip


LESSON = LessonResult(
    statement="Use pnpm.", project="shop", promoted="2026-11-10T08:00:00.000Z", told=3, heeded=1, ignored=1,
    open=1, came_back=2, complaint="",
)  # fmt: skip
VIEW = ReportView(
    made="2026-11-22T10:00:00.000Z", since="", project="", themes=(), agents=(AGENT,),
    weeks=(WeekCount("2026-11-09", 3), WeekCount("2026-11-16", 0)), promotions=(LESSON,), lessons=(LESSON,),
    health=Health(hook_latencies=Histogram(counts=(*(0,) * 7, 5, 3, *(0,) * 7))),
)  # fmt: skip


class Reader(HTMLParser):
    """The elements of a page, and its texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.handlers: set[str] = set()
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.handlers |= {name for name, _ in attrs if name.startswith("on") or name in ("src", "href")}

    def handle_data(self, data: str) -> None:
        self.words += data


def hostile() -> str:
    bad = LESSON._replace(statement=HOSTILE, project=HOSTILE, complaint=HOSTILE)
    return report_file.html(
        VIEW._replace(
            project=HOSTILE,
            promotions=(bad,),
            lessons=(bad,),
            themes=(Theme(HOSTILE, 2, HOSTILE, (HOSTILE,)),),
        )
    )


def test_captured_texts_stay_texts() -> None:
    page = Reader(hostile())
    assert page.elements.isdisjoint({"script", "img", "iframe", "link", "form"})
    assert page.handlers == set()
    assert page.words.count("<script>document.title='x'</script>") == 11
    assert "\u202e" not in page.words
    assert "{{7*7}}" in page.words


def test_page_asks_for_nothing_and_runs_nothing() -> None:
    html = report_file.html(VIEW)
    assert "default-src 'none'" in html
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_secrets_are_blacked_out() -> None:
    html = report_file.html(
        VIEW._replace(
            lessons=(
                LESSON._replace(
                    complaint="use ACME-123456 and ghp_" + "x9Kq2LmN4pRs6TuV8wXy0zAbCdEf1GhIj3Kl"
                ),
            )
        ),
        ["re:ACME-[0-9]{6}"],
    )
    assert "ACME-123456" not in html
    assert "ghp_x9K" not in html


def test_nobody_else_pays_for_its_libraries() -> None:
    code = (
        "import sys, learnloop.cli.commands.care, learnloop_tui.app.app\n"
        "print(sorted({'jinja2', 'leather', 'webbrowser'} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


@pytest.mark.slow
@browser.needs_browser
def test_browser_draws_it_light_dark_and_on_paper(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(hostile(), "utf-8")
    title = browser.document(path.as_uri()).partition("<title>")[2]
    assert title.startswith("Learnloop report · &lt;/td&gt;")
    light = browser.picture(path.as_uri(), tmp_path / "light.png")
    dark = browser.picture(path.as_uri(), tmp_path / "dark.png", browser.DARK)
    assert light[:8] == dark[:8] == b"\x89PNG\r\n\x1a\n"
    assert min(len(light), len(dark)) > 20_000
    assert light != dark
    browser.browse(path.as_uri(), f"--print-to-pdf={tmp_path}/report.pdf")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
