"""The documents say what the program does: every command in them parses, every link leads somewhere."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnloop.cli.commands import backfill
from learnloop.cli.registry import NAMES, RENAMED, VERBS, VIEWS, Verb, parse
from learnloop.service.intake.backfill import BackfillReport
from learnloop.service.intake.repeated_corrections import Repeated, RepeatedCorrections

ROOT = Path(__file__).resolve().parents[2]
FOR_USERS = (
    "README.md", "docs/index.md", "docs/tutorial.md", "docs/lessons.md", "docs/guide.md", "docs/panes.md",
    "docs/facts.md", "docs/faq.md", "docs/troubleshooting.md",
)  # fmt: skip
PAGES = (
    *FOR_USERS, "docs/memory.md", "docs/experiments.md", "docs/cli.md", "docs/changes.md", "docs/mcp.md",
    "CONTRIBUTING.md", "CHANGELOG.md",
)  # fmt: skip
_GENERATED = re.compile(r"<!-- (\w+) -->.*?<!-- /\1 -->", re.S)
MOST_WORDS = 9_000
"""What users are asked to read at most, generated reference left out."""
MOST_WORDS_OF_DESIGN = 6_000


def _blocks(text: str) -> Iterator[str]:
    for block in re.findall(r"```sh\n(.*?)```", text, re.S):
        for line in block.splitlines():
            yield from (part.strip() for part in line.split(" | ") if part.strip().startswith("learn "))


def _commands(path: str) -> Iterator[str]:
    text = (ROOT / path).read_text("utf-8")
    yield from _blocks(text)
    outside = re.sub(r"```.*?```", "", text, flags=re.S)
    yield from (span for span in re.findall(r"`(learn [^`]+)`", outside) if "VERB" not in span)


@pytest.mark.parametrize("path", PAGES)
def test_every_shown_command_parses(path: str) -> None:
    assert [command for command in _commands(path) if not _parses(_words(command))] == []


SPOKEN_OF = [list(verb.words) for verb in (*VERBS, *VIEWS)] + [[name] for name in RENAMED]
SPOKEN_OF += [["check", "--first"], ["check", "--stop"]]


def _words(command: str) -> list[str]:
    words = shlex.split(command, comments=True)[1:]
    spoken_of = [word for word in words if word != "…"]
    if spoken_of != words or spoken_of in SPOKEN_OF:  # a verb that the text speaks of
        return [*spoken_of[:2], "--help"]
    return words


def _parses(words: list[str]) -> bool:
    try:
        parse(words)
    except SystemExit as stop:
        return stop.code == 0
    return True


def test_the_pages_for_users_mention_every_verb() -> None:
    shown = {shlex.split(command, comments=True)[1] for page in FOR_USERS for command in _commands(page)}
    assert shown - {"help", "--help"} == set(NAMES)


def test_the_pages_for_users_are_short() -> None:
    written = {page: _GENERATED.sub("", (ROOT / page).read_text("utf-8")) for page in FOR_USERS}
    words = {page: len(text.split()) for page, text in written.items()}
    assert sum(words.values()) <= MOST_WORDS, words


def test_the_design_is_short() -> None:
    assert len((ROOT / "docs/design.md").read_text("utf-8").split()) <= MOST_WORDS_OF_DESIGN


def test_the_front_page_leads_with_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    first = re.search(r"```sh\n(.*?)```", text, re.S)
    assert first is not None
    assert [line.split("#")[0].strip() for line in first[1].splitlines()] == ["make tui", "make test"]


def test_the_front_page_shows_what_backfill_prints() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    shown = next(block for block in re.findall(r"```console\n(.*?)```", text, re.S) if "corrected" in block)
    printed = "\n".join(backfill.lines(_REPORT, with_commands=False)).splitlines()
    assert [line for line in shown.splitlines() if line not in (*printed, "…")] == []
    assert "…" in shown
    assert len(printed) == len(shown.splitlines()) + 4


def _said(times: int, quote: str, projects: int = 1) -> Repeated:
    return Repeated(id="k3fq", short="k3fq", times=times, quote=quote, folder="shop", projects=projects)


_REPORT = BackfillReport(
    events=1204, sessions=31, drafts=23,
    said=RepeatedCorrections(
        corrections=41, ms=90 * 86_400_000, things=7, covered=16,
        repeated=(
            _said(6, "no, use pnpm instead of npm in this repo"),
            _said(5, "Always run the tests before you say it works", projects=3),
            _said(3, "you forgot to update CHANGELOG.md"),
            *[_said(2, "answers are too long")] * 4,
        ),
    ),
)  # fmt: skip
"""What the front page shows; its `…` stands for the last four things."""


@pytest.mark.parametrize("path", PAGES)
def test_every_shown_make_target_exists(path: str) -> None:
    targets = re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    text = (ROOT / path).read_text("utf-8")
    shown = re.findall(r"(?:^|`)make ([a-z0-9-]+)", text, re.M)
    assert set(shown) <= set(targets)


@pytest.mark.parametrize("path", PAGES)
def test_every_link_leads_somewhere(path: str) -> None:
    page = ROOT / path
    text = page.read_text("utf-8")
    anchors = {_anchor(title) for title in re.findall(r"^#+ (.+)$", text, re.M)}
    for target in re.findall(r"\]\(([^)]+)\)", text):
        name, _, anchor = target.partition("#")
        if name.startswith("https:"):
            continue
        if name:
            assert (page.parent / name).exists(), f"{path}: {target}"
        else:
            assert anchor in anchors, f"{path}: {target}"


def _anchor(title: str) -> str:
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@pytest.mark.parametrize("verb", [*VERBS, *VIEWS], ids=lambda verb: verb.name)
def test_every_verb_shows_an_example_of_itself(verb: Verb, capsys: pytest.CaptureFixture[str]) -> None:
    assert verb.examples
    assert all(f"learn {' '.join(verb.words)}" in line for line in verb.examples)
    assert _parses([*verb.words, "--help"])
    output = capsys.readouterr().out
    assert all(line in output for line in verb.examples)
    assert output.index("for example:") > output.index("options:")
