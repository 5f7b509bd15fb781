"""Twelve corrections, each after a turn, and forty later calls: which lessons are told at which."""

from typing import Any, NamedTuple

import pytest

from learnloop.recall.compile import record
from learnloop.wire import relevance
from tests.learn.drafted import draft_of

PROJECT = "/code/shop"


class Scene(NamedTuple):
    """A correction, with what the turn before it wrote and ran."""

    words: str
    wrote: tuple[str, ...] = ()
    ran: tuple[str, ...] = ()


SCENES = {
    "pnpm": Scene("No, use pnpm, not npm.", ran=("npm install zod",)),
    "jq": Scene("Never use grep on JSON output, use jq.", ran=("grep -o name out.json",)),
    "vendor": Scene("Do not ever edit files in vendor/!", ("vendor/lib/a.py",)),
    "dates": Scene("Dates in reports must be ISO, not 31.12.", ("reports/monthly.py",), ("python r.py",)),
    "changelog": Scene("You forgot to add it to CHANGELOG.md.", ("src/shop/cart.py",), ("pytest -q",)),
    "pinned": Scene(
        "Pin GitHub Actions by commit sha, always.", (".github/workflows/lint.yml",), ("git commit -m ci",)
    ),
    "push": Scene("Always ask me before you push to main.", ran=("git push origin main",)),
    "parser": Scene("When refactoring the parser, always run the golden tests.", ("src/parser/lex.py",)),
    "mocks": Scene("Don't mock the database in tests, use a container.", ("tests/test_orders.py",)),
    "apply": Scene("Never run terraform apply yourself.", ran=("terraform apply -auto-approve",)),
    "tables": Scene("The table names must be singular, not plural.", ("src/db/models.py",)),
    "german": Scene("From now on always answer me in German.", ("src/shop/cart.py",), ("pytest -q",)),
}  # fmt: skip
CALLS: tuple[tuple[str, str, set[str]], ...] = (
    ("Bash", "npm install left-pad", {"pnpm"}), ("Bash", "cd web && npm run build", {"pnpm"}),
    ("Bash", "pnpm add zod", set()), ("Bash", "pnpm run lint", set()),
    ("Bash", "grep -n total report.json", {"jq"}), ("Bash", "grep -rn TODO src", {"jq"}),
    ("Bash", "jq .name out.json", set()), ("Bash", "cat out.json", set()),
    ("Edit", "vendor/lib/b.py", {"vendor"}), ("Write", "vendor/README.md", {"vendor"}),
    ("Edit", "reports/yearly.py", {"dates"}), ("Write", "reports/weekly.py", {"dates"}),
    ("Write", "reports/logo.svg", set()), ("Bash", "python reports/weekly.py", set()),
    ("Edit", "src/shop/basket.py", {"changelog"}), ("Edit", "src/shop/cart.py", {"changelog"}),
    ("Edit", "CHANGELOG.md", set()), ("Edit", "README.md", set()),
    ("Edit", ".github/workflows/test.yml", {"pinned"}), ("Write", ".github/workflows/cd.yml", {"pinned"}),
    ("Bash", "git commit -m 'Add a cart'", set()), ("Bash", "git add src", set()),
    ("Bash", "git push", {"push"}), ("Bash", "git push origin fix", {"push"}),
    ("Bash", "git pull --rebase", set()), ("Bash", "git status", set()),
    ("Edit", "src/parser/grammar.py", {"parser"}), ("Write", "src/parser/tokens.py", {"parser"}),
    ("Bash", "pytest tests/golden", set()), ("Edit", "tests/test_cart.py", {"mocks"}),
    ("Write", "tests/test_refund.py", {"mocks"}), ("Bash", "pytest -q", set()),
    ("Bash", "terraform apply", {"apply"}), ("Bash", "terraform plan", set()),
    ("Edit", "src/db/orders.py", {"tables"}), ("Edit", "infra/main.tf", set()),
    ("Edit", "web/App.tsx", set()), ("Write", "docs/guide.md", set()),
    ("Bash", "ls -la", set()), ("Bash", "docker compose up -d", set()),
)  # fmt: skip


def _records() -> dict[str, dict[str, Any]]:
    made = {}
    for name, scene in SCENES.items():
        before = {"files": [f"{PROJECT}/{path}" for path in scene.wrote], "commands": list(scene.ran)}
        draft = draft_of(scene.words, before, PROJECT)
        made[name] = record({**draft.as_json(), "statement": draft.statement or scene.words}, draft.id[:6])
    return made


def _fires(lesson: dict[str, Any], tool: str, target: str, words: str = "") -> bool:
    place = {"command": target} if tool == "Bash" else {"file": f"{PROJECT}/{target}"} if tool else {}
    asked = {"moment": "tool" if tool else "prompt", "tool": tool, "words": f"{target}\n{words}",
             "project": PROJECT, "cwd": PROJECT, **place}  # fmt: skip
    return bool(relevance.score(lesson, asked)["fires"])


def test_nine_of_ten_recalls_are_relevant_and_nine_of_ten_moments_are_met() -> None:
    lessons = _records()
    pairs = [
        (name, target, name in relevant, _fires(lesson, tool, target))
        for tool, target, relevant in CALLS
        for name, lesson in lessons.items()
    ]
    fired = [(name, target) for name, target, _, fires in pairs if fires]
    beside = [(name, target) for name, target, is_relevant, fires in pairs if fires and not is_relevant]
    missed = [(name, target) for name, target, is_relevant, fires in pairs if is_relevant and not fires]
    assert len(fired) >= 18
    assert len(beside) <= 0.1 * len(fired), beside
    assert len(missed) <= 2, missed


@pytest.mark.parametrize(
    "prompt",
    [
        "add a test for the date format of the client", "install the package and run the view", "commit this",
        "why is the chart so short?", "stay on this page and fix the links", "format the table, please",
    ],
)  # fmt: skip
def test_everyday_prompts_recall_nothing(prompt: str) -> None:
    assert [name for name, lesson in _records().items() if _fires(lesson, "", "", prompt)] == []


def test_a_lesson_on_how_to_talk_is_told_at_the_start_alone() -> None:
    assert "standing" in _records()["german"]
