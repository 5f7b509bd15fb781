"""Which calls an instruction wants and does not want."""

import pytest

from learnloop.learn.lessons.call_patterns import derive, sides
from learnloop.models.lesson import Lesson


@pytest.mark.parametrize(
    ("statement", "wanted", "unwanted"),
    [
        ("Use pnpm, not npm.", "pnpm", "npm"),
        ("please use pnpm and not npm for installing packages", "pnpm", "npm"),
        ("Use `npm ci`, never `npm install`", "npm ci", "npm install"),
        ("Never commit with --no-verify", "", "git commit *--no-verify"),
        ("Never use `git push --force`", "", "git push *--force"),
        ("Never push to main", "", "git push * main, git push *:main"),
        ("Never push a tag", "", "git push *tags*, git push * tag *"),
        ("Never edit migrations/0001.py", "", "**/migrations/0001.py"),
        ("Never touch the legacy folder", "", "**/legacy/**"),
        ("Never write outside src/", "", "!src/**"),
        ("Use logger.info instead of console.log", "logger.info", "console.log"),
        ("Use fmt.Errorf, not pkg/errors", "fmt.Errorf", "pkg/errors"),
        ("Use logger, never `print()`", "", "print("),
        ("never put new files into legacy/", "", "legacy/**"),
        ("don't use git add -A", "", "git add *-A"),
        ("never use git add .", "", "git add ."),
        ("Use pnpm instead of npm everywhere", "pnpm", "npm"),
        ("never use `: any`", "", ": any, as any, <any>, any[]"),
        ("Use make test, not go test", "make test", "go test"),
        ("Never use find, use fd", "fd", "find"),
        ("Use ruff, not black or flake8", "ruff", "black, flake8"),
        ("Never run terraform apply yourself", "", "terraform apply"),
        ("Never run gh pr merge", "", "gh pr merge"),
        ("use npm ci instead of npm install", "npm ci", "npm install"),
        ("don't run npm install, use npm ci", "npm ci", "npm install"),
        ("call make build instead of cargo build", "make build", "cargo build"),
        ("use `uv run pytest`, not plain pytest", "uv run pytest", "pytest, python -m pytest"),
        ("never use docker-compose, it's `docker compose`", "docker compose", "docker-compose"),
        ("we use yarn in this repo", "yarn", "npm, pnpm, bun"),
        ("leave the CHANGELOG alone", "", "**/CHANGELOG*"),
        ("keep your hands off config/prod.yaml", "", "**/config/prod.yaml"),
        ("Only edit files in packages/web", "", "!packages/web/**"),
        ("Never edit anything in generated/", "", "generated/**"),
        ("never write to dist/ or build/", "", "dist/**, build/**"),
        ("Don't use default exports", "", "export default"),
        ("don't add eslint-disable comments", "", "eslint-disable"),
        ("Don't use em dashes", "", "\u2014"),
        ("Don't use any", "", ": any, as any, <any>, any[]"),
    ],
)
def test_words_name_what_obeys_and_what_breaks(statement: str, wanted: str, unwanted: str) -> None:
    named = [", ".join((*side.commands, *side.files, *side.tokens)) for side in sides(statement)]
    assert named == [wanted, unwanted]


@pytest.mark.parametrize(
    "statement",
    [
        "Don't run npm in the old packages",
        "Use jq, never grep, on JSON output",
        "In CI, never use npm",
        "Never create a new branch",
        "don't make test output noisy",
        "don't go test it in production",
        "we are not just building a demo",
        "Never deploy when tests fail",
        "Run the linter before you push",
        "Do not add dependencies",
        "Never commit secrets",
        "Don't use time.sleep() in tests",
        "Never change the API in src/api.py",
        "Don't touch a branch or directory that another session is working on",
        "should I never use time.sleep?",
        "Answer in English",
        "",
    ],
)
def test_nothing_is_unwanted_where_no_call_shows_it(statement: str) -> None:
    assert not any(sides(statement).unwanted)


def test_what_is_wanted_is_what_to_do_instead_and_no_call_is_both() -> None:
    (rule,) = derive("Use pnpm, not npm.")
    assert rule.words == "never run `npm`, except pnpm: run `pnpm`"
    assert sides("Use `npm ci`, never `npm`").wanted.commands == ()


OLDER = {
    "id": "abcdef", "created": "", "updated": "", "gate": True, "wanted": {"commands": ["pnpm"]},
    "unwanted": {"commands": ["npm"], "files": ["*"], "tokens": ["console.log", "\u2014"]},
    "due": {"after": ["src/**"], "files": ["**/CHANGELOG.md"]},
    "triggers": {"command_patterns": ["git push*"]},
}  # fmt: skip


def test_what_an_earlier_version_stored_beside_the_check_is_a_part_of_it() -> None:
    lesson = Lesson.model_validate(OLDER)
    assert [rule.words for rule in lesson.check] == [
        "never run `npm`, except pnpm or write a file that adds `console.log`, docs left out or write a file"
        " that adds `\u2014`: run `pnpm`",
        "after you write src/**: write CHANGELOG.md, before you are done",
        "before you run `git push*`: read this",
    ]
    assert Lesson.model_validate(lesson.as_json()) == lesson
    assert (
        Lesson.model_validate({**OLDER, "unwanted": {"files": ["*"]}, "due": None, "gate": False}).check == ()
    )
