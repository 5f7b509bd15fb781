"""What the words of an instruction state for certain: what goes with a change, and other checks."""

import pytest

from learnloop.learn.lessons import acts
from learnloop.learn.lessons.call_patterns import derive
from learnloop.models.lesson import Lesson
from learnloop.models.lesson_check import EXPANDED, CheckEvent

SOURCE = "any source file"
_IN_WORDS = {
    ("command", "<tests>"): "a run of the tests",
    ("write", "<tests>"): "a test",
    ("write", "<source>"): SOURCE,
}


def _side(events: tuple[CheckEvent, ...]) -> str:
    """The patterns of a side, as the table names them."""
    (event,) = events
    plain = "`{}`".format if event.on == "command" else (lambda name: name.removeprefix("**/"))
    return ", ".join(_IN_WORDS.get((event.on, name)) or plain(name) for name in (*event.runs, *event.files))


@pytest.mark.parametrize(
    ("statement", "what", "after"),
    [
        ("Update CHANGELOG.md with every change in src/", "CHANGELOG.md", "src/**"),
        (
            "When you change openapi.yaml, regenerate the client with `make client`",
            "`make client`",
            "openapi.yaml",
        ),
        ("Run the tests after every change", "a run of the tests", SOURCE),
        ("Every change in api/ needs a test in tests/", "tests/**", "api/**"),
        ("After editing a migration run `make schema`", "`make schema`", "migrations/**, migrate/**"),
        ("You forgot the changelog again - add an entry whenever src changes", "CHANGELOG*", "src/**"),
        ("Always run the tests after every change.", "a run of the tests", SOURCE),
        ("After every code change, run pytest", "`pytest`", SOURCE),
        ("Run prettier whenever you write code", "`prettier`", SOURCE),
        ("Whenever you touch src/api.py, update docs/api.md", "docs/api.md", "src/api.py"),
        ("The changelog is updated with every change in src/", "CHANGELOG*", "src/**"),
        ("CHANGELOG.md goes with every change of src/", "CHANGELOG.md", "src/**"),
        ("Every change needs a test", "a test", SOURCE),
        (
            "Any change to schema.graphql requires running `npm run codegen`",
            "`npm run codegen`",
            "schema.graphql",
        ),
        ("Don't forget to update the README when you change cli.py", "README*", "cli.py"),
        ("Never change src/a.py without updating docs/a.md", "docs/a.md", "src/a.py"),
        ("Run `./scripts/gen.sh` after editing proto files", "`./scripts/gen.sh`", "*.proto"),
        ("Add a test for every change in api/", "a test", "api/**"),
        ("whenever you change a Dockerfile, run `make image`", "`make image`", "Dockerfile"),
        ("Run ruff after you edit Python files", "`ruff`", "*.py"),
        ("If you change src/ or lib/, add a line to CHANGELOG.md", "CHANGELOG.md", "src/**, lib/**"),
        ("After changing package.json, run npm install", "`npm install`", "package.json"),
        ("You must run `make test` every time src/ changes.", "`make test`", "src/**"),
        ("Please keep docs/api.md up to date with every change to src/api.py", "docs/api.md", "src/api.py"),
        ("when code changes, run the tests", "a run of the tests", SOURCE),
        ("Regenerate docs/api.md with `make docs` whenever src/api.py changes", "`make docs`", "src/api.py"),
    ],
)
def test_words_that_name_both_sides_make_something_due(statement: str, what: str, after: str) -> None:
    (rule,) = derive(statement)
    assert (rule.form, _side(rule.then), _side(rule.act)) == ("due", what, after)


@pytest.mark.parametrize(
    "statement",
    [
        "Run the tests before you commit",
        "Don't run the tests after every change",
        "Run the tests once at the end, not after every change",
        "Instead of running the tests after every change, run them at the end",
        "Update CHANGELOG.md with every user-visible change in src/",
        "Update CHANGELOG.md with every change in src/ that affects users",
        "When you change the API in src/api.py, update docs/api.md",
        "Update the docs if needed after every change",
        "Explain every change in src/",
        "Ask me before you change src/",
        "Changes to schema.prisma need a migration",
        "Update CHANGELOG.md with every release",
        "Run the linter after every change",
        "Should I run the tests after every change?",
        "Tell me which tests to run after every change",
        "Use pnpm, not npm",
        "Update the lock file whenever you change package.json",
        "Every change in tests/ needs a test",
        "Commit after every change",
        "Run the tests after every change unless I say otherwise",
        "Add tests",
        "Keep every change small",
        "When you change the models, regenerate the docs",
        "Every function needs a docstring",
        "",
        "Never edit src/a.py without asking me",
        "Update CHANGELOG.md when you fix a bug in src/",
        "Run the tests after each edit, not just at the end",
        "Don't change anything in src/ after every change",
        "Update CHANGELOG.md and run `make docs` after every change",
        "Log every change in src/ to CHANGELOG.md",
        "Every new endpoint in api/ needs a test",
        "After you add a file to src/, update CHANGELOG.md",
        "Bei jeder Änderung in src/ CHANGELOG.md anpassen",
        "Tests must pass after every change",
        "I changed src/a.py and updated CHANGELOG.md",
        "After every change in src/ the build must be green",
        "Format the code after every change",
        "Every change in src/ is reviewed by Anna, see CHANGELOG.md",
        "Show me the diff after every change",
        "When you are done, run the tests",
        "Review the tests after every change in src/",
        "As we make all changes, make sure we run/update tests as required.",
    ],
)
def test_in_doubt_nothing_is_due(statement: str) -> None:
    assert not [rule for rule in derive(statement) if rule.form == "due"]


def test_a_change_that_must_bring_another_is_no_harm_by_itself() -> None:
    assert [rule.form for rule in derive("Never change src/a.py without updating docs/a.md")] == ["due"]


def test_symbols_stand_for_the_patterns_of_every_project() -> None:
    assert "*.py" in EXPANDED["files"]["<source>"]
    assert {"pytest", "npm test", "cargo test"} <= set(EXPANDED["runs"]["<tests>"])


def test_the_due_moment_of_an_earlier_version_becomes_a_rule() -> None:
    due = {"after": ["src/**"], "files": ["CHANGELOG.md"], "commands": []}
    lesson = Lesson.model_validate(
        {"id": "abcdef", "created": "", "updated": "", "due": due, "reminds": True}
    )
    assert [rule.words for rule in lesson.check] == [
        "after you write src/**: write CHANGELOG.md, before you are done"
    ]
    assert Lesson.model_validate(lesson.as_json()) == lesson


def test_files_that_belong_elsewhere_are_not_made_in_the_folder_that_is_named() -> None:
    (rule,) = derive("Scripts go in tools/, not in the scripts folder.")
    assert [event.files for event in rule.act] == [("/scripts",)]
    assert derive("Helpers belong in app/utils/, not in the root folder.") == ()


ACTS = [
    ("Use zod, not yup", "npm i yup", "npm i zod"),
    ("Use date-fns instead of moment", "pnpm add -D moment@2", "pnpm add moment-timezone"),
    ("Use httpx, not requests", "uv add 'requests==2.32'", "uv add httpx"),
    ("Never skip hooks", "git commit -nm x", "git commit -m x"),
    ("Don't bypass the pre-commit hooks", "git push --no-verify", "git push"),
    ("Never touch .env", "cat .env", "cat .env.example"),
    ("Never touch the .env file", "grep KEY .env.local", "grep .env README.md"),
    ("Never touch .env", "echo A=1 >> .env", "echo A=1 >> env.txt"),
]


@pytest.mark.parametrize(("statement", "broken", "kept"), ACTS)
def test_words_that_name_a_library_a_hook_or_a_secret_file_bind(
    statement: str, broken: str, kept: str
) -> None:
    lesson = {"check": [rule.as_json() for rule in derive(statement)]}
    assert acts.breach(lesson, acts.AgentCall(command=broken, project="/w", cwd="/w"))
    assert not acts.breach(lesson, acts.AgentCall(command=kept, project="/w", cwd="/w"))


@pytest.mark.parametrize(
    ("file", "text", "is_broken"),
    [
        ("a.ts", "import * as v from 'yup'", True),
        ("a.js", "const v = require('yup/lib')", True),
        ("package.json", '  "yup": "^1.4.0"', True),
        ("a.py", "import yup as y", True),
        ("a.ts", "import yup from 'zod'", False),
        ("a.ts", "// yup, from 'yup'", False),
        ("a.md", "from 'yup'", False),
    ],
)
def test_a_library_is_one_where_it_is_imported(file: str, text: str, is_broken: bool) -> None:
    lesson = {"check": [rule.as_json() for rule in derive("Use zod, not yup")]}
    call = acts.AgentCall(file=f"/w/{file}", text=text, project="/w")
    assert bool(acts.breach(lesson, call)) is is_broken


@pytest.mark.parametrize(
    "statement", ["Don't use lodash for simple maps", "Use express routers, not redux actions"]
)
def test_a_library_under_a_condition_binds_nothing(statement: str) -> None:
    assert derive(statement) == ()
