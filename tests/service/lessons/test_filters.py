"""The filter language: what each part finds, what is said of parts that make no sense."""

import random
from types import SimpleNamespace
from typing import Any

import pytest

from learnloop.learn.lessons import origins
from learnloop.service.lessons import filters
from learnloop.wire import clock

NOW = 1_790_000_000_000


def _row(**fields: Any) -> SimpleNamespace:
    given = {
        "haystack": "the formatter is run before each commit pytest fact", "state": "draft", "kind": "fact",
        "priority": "HIGH", "folder": "shop", "category": "testing", "agents": ("main", "reviewer"),
        "origin": "import", "source": "import:claude-reflect", "trust": "external", "scope": "project",
        "paused": False, "needs_words": False, "proposal": "", "claimed": "",
        "seen": 3, "recalled": 0, "strength": 71,
        "verified": None, "use": None, "backfilled": False, "taken": False,
        "created": clock.iso(NOW - 3 * 86_400_000),
    }  # fmt: skip
    return SimpleNamespace(**{**given, **fields})


def _fits(text: str, **fields: Any) -> bool:
    query = filters.parse(text, NOW)
    assert query.problems == ()
    return query.matches(_row(**fields))


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "formatter commit", "FORMATTER", '"run before"', "status:draft", "status:dr",
        "state:draft",
        "kind:fact", "kind:pattern,fact", "prio:high", "prio:>=high", "prio:<critical", "priority:>low",
        "project:SHOP", "project:sho", "category:test", "agent:reviewer", "agent:main", "origin:import",
        "source:reflect", "rule:claude", "trust:external", "scope:project", "is:external", "seen:3",
        "seen:>2",
        "seen:<=3", "told:0", "recalled:0",
        "strength:>=70", "created:<7d", "created:>2d", "created:<1w", "created:3d,",
        "-kind:pattern", "-nowhere", "-is:paused", "kind:", "-kind:", "kind:fact formatter -agent:tester",
        '-"not there"', "created:>=2026-01-01", "Kind:Fact",
    ],
)  # fmt: skip
def test_what_fits(text: str) -> None:
    assert filters.parse(text, NOW).matches(_row())


@pytest.mark.parametrize(
    "text",
    [
        "formatter nowhere", '"before run"', "status:active", "kind:pattern", "prio:low", "prio:>high",
        "project:bank", "agent:tester", "trust:user", "is:paused", "seen:>3", "seen:2", "told:>0",
        "recalled:>0",
        "strength:<70", "use:<50", "use:>0", "created:>7d", "created:<1d", "-kind:fact", "-formatter",
        "created:<2020-01-01",
    ],
)  # fmt: skip
def test_what_does_not_fit(text: str) -> None:
    assert not _fits(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("prio:urgent", "prio: knows critical, high, medium, low"),
        ("seen:many", "seen: wants a number, as in seen:>2"),
        ("created:soon", "created: wants an age or a day, as in created:<7d"),
        ("status:gone", "status: knows draft, active, paused, archived, rejected"),
        ("colour:red", "colour: is no field; searched as it is"),
        ("stats:x colour:red", "stats: is no field, status: is; left out"),
    ],
)
def test_what_makes_no_sense_is_said_and_left_out(text: str, problem: str) -> None:
    query = filters.parse(text, NOW)
    assert query.problems[0] == problem
    assert query.matches(_row(haystack="stats:x colour:red"))


@pytest.mark.parametrize(
    "word", ["fix:", "https://example.org/a", "a/b.py", "plugin.json", "(.*)[", "::", "-"]
)
def test_words_with_signs_are_words(word: str) -> None:
    query = filters.parse(word, NOW)
    assert query.problems == ()
    assert query.matches(_row(haystack=f"say {word} here"))
    assert not _is_in(query, word)


def _is_in(query: filters.Query, word: str) -> bool:
    return word not in ("-", "::") and query.matches(_row(haystack="nothing of it"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ki", ["kind:"]), ("s", ["status:", "source:", "scope:", "seen:", "strength:"]), ("", []),
        ("-ki", ["-kind:"]), ("kind:p", ["kind:pattern", "kind:preference"]),
        ("formatter project:sh", ["project:shop"]), ('project:"my s', ['project:"my shop"']),
        ('project:my', ['project:"my shop"']), ('"my s', []), ("seen:", []),
        ("project:", ["project:\"my shop\"", "project:shop"]),
        ("kind:fact,pa", ["kind:fact,pattern"]), ("prio:>=cr", ["prio:>=critical"]), ("colour:", []),
        ("kind:fact", []),
    ],
)  # fmt: skip
def test_what_is_begun_is_completed(text: str, found: list[str]) -> None:
    held = {"project": ["my shop", "shop", ""]}
    assert filters.completions(text, lambda field: held[field.name]) == found


@pytest.mark.parametrize(
    ("source", "origin"),
    [
        ("always or never", "prompt"), ("block:process_knowledge", "block"), ("discovery", "discovery"),
        ("block:discovery", "discovery"),
        ("import:claude-reflect", "import"), ("draft:test", "test"), ("draft:message", "message"),
        ("told", "told"), ("recurring", "recurring"), ("", ""),
    ],
)  # fmt: skip
def test_an_origin_is_one_word(source: str, origin: str) -> None:
    assert origins.origin_of(source) == origin


def test_no_line_breaks_it_and_a_huge_one_is_read_in_part() -> None:
    rng = random.Random(5)
    pieces = [
        "kind:",
        "-",
        '"',
        "prio:>=",
        "seen:<",
        "\u202e",
        "created:",
        "9" * 30,
        "d",
        ",",
        " ",
        "(",
        "\\",
        "é:",
    ]
    row = _row()
    for _ in range(20_000):
        filters.parse("".join(rng.choices(pieces, k=rng.randint(0, 10))), NOW).matches(row)
    query = filters.parse("x " * 500_000, NOW)
    assert query.problems == ("only the first 1,000 characters are read",)
    many = filters.parse(" ".join(f"x{at}" for at in range(200)), NOW)
    assert (many.problems, len(many.tests)) == (("only the first 32 parts are read",), 32)
    assert len(filters.parse("x " * 500, NOW).tests) == 1
