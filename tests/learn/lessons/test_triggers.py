"""Triggers: which files, commands and words a lesson is told at, by its words and the corrected turn."""

import pytest

from learnloop.learn.lessons import triggers
from learnloop.learn.lessons.trigger_choice import Calls
from learnloop.models.lesson import Triggers


def _derive(statement: str, files: tuple[str, ...] = (), commands: tuple[str, ...] = ()) -> Triggers:
    return triggers.derive(statement, files=[f"/p/{path}" for path in files], commands=commands, project="/p")


@pytest.mark.parametrize(
    ("statement", "ran", "commands"),
    [
        ("Use pnpm, not npm.", "npm install left-pad", ("npm",)),
        ("Always use pnpm.", "", ("npm", "yarn", "bun")),
        ("Use `just test` rather than calling vitest directly.", "vitest run", ("vitest", "npx vitest")),
        (
            "Use jq instead of python -c to read JSON.",
            "python -c 'import json'",
            ("python *-c", "python3 *-c"),
        ),
        ("Never run terraform apply yourself.", "", ("terraform apply",)),
        ("Never `cargo publish` from a branch.", "", ("cargo publish",)),
        ("Never use --no-verify.", "git commit --no-verify -m x", ("* --no-verify",)),
        ("Ask me before you push to main.", "git push origin main", ("git push",)),
        ("Never push without running the linter.", "", ("git push",)),
        ("No force pushes to shared branches.", "git push --force", ("git push *--force*",)),
        ("Never push a tag.", "git push --tags", ("git push *tags*",)),
        ("Never delete branches.", "git branch -D old", ("git branch -D*",)),
        ("Don't do a hard reset.", "git reset --hard", ("git reset *--hard*",)),
        ("Never bypass the git hooks.", "git commit --no-verify -m x", ("git commit *--no-verify*",)),
        ("Never use sudo.", "sudo make install", ("sudo",)),
        ("No emojis in commit messages.", "", ("git commit",)),
        ("Name branches after their ticket.", "git checkout -b fix", ("git checkout -b",)),
        ("Never add a dependency without asking.", "npm install lodash", ("npm install",)),
        ("Smoke tests come before you deploy.", "make deploy", ("make deploy",)),
        ("Always start mix phx.server in the background.", "", ("mix phx.server",)),
        ("Be careful, running seed.sh could delete the local database.", "bash seed.sh", ("*seed.sh",)),
        ("Pin GitHub Actions by commit sha.", "git commit -m lint", ()),
        ("Use a conda environment named base.", "", ()),
        ("Next time run the tests first.", "git commit -m x", ()),
        ("Make sure the page still loads.", "", ()),
    ],
)
def test_commands_are_those_of_the_moment_or_unwanted_never_the_wanted_ones(
    statement: str, ran: str, commands: tuple[str, ...]
) -> None:
    assert _derive(statement, commands=(ran,) if ran else ()).command_patterns == commands


@pytest.mark.parametrize(
    ("statement", "written", "patterns"),
    [
        ("Never edit files in vendor/.", "app/a.py", ("vendor/**",)),
        ("Do not ever edit files in the vendor folder.", "vendor/lib/a.py", ("vendor/**",)),
        ("The API key goes into the keychain, never into config.json.", "a/config.json", ("**/config.json",)),
        ("Dates in reports are always ISO 8601.", "reports/monthly.py", ("reports/*.py",)),
        ("Dates must be year first, not day first.", "reports/monthly.py", ("reports/*.py",)),
        ("The table names must be singular, not plural.", "app/db/models.py", ("app/db/*.py",)),
        ("Every endpoint needs a test.", "app/api/users.py", ("app/api/*.py",)),
        ("Pin GitHub Actions by commit sha.", ".github/workflows/lint.yml", (".github/workflows/*.yml",)),
        ("Pin docker images by digest.", "", ("**/Dockerfile*", "**/*compose*.y*ml")),
        ("Never edit a migration that was applied.", "", ("**/migrations/**", "**/migrate/**")),
        ("Always use type hints in Python.", "", ("**/*.py",)),
        ("Stop adding comments that repeat the code.", "src/a.py", ("**/*.py",)),
        ("Stop adding comments that repeat the code.", ".gitignore", ()),
        ("Stop adding comments that repeat the code.", "go.mod", ()),
        ("Each skill has its own folder with a README.", "", ()),
        ("Keep the README short.", "", ("**/README*",)),
        ("Don't mock the database in integration tests.", "tests/test_a.py", ("tests/*.py",)),
        ("When refactoring the parser, always run the golden tests.", "src/parser/lex.py",
         ("src/parser/*.py",)),
        ("Whenever a snapshot changes, show me the diff first.", "tests/snapshots/a.snap",
         ("tests/snapshots/*.snap",)),
        ("Use zod instead of joi.", "web/form.ts", ("web/*.ts",)),
        ("Smoke tests come before you deploy.", "src/a.py", ()),
        ("Use pnpm, not npm.", "src/App.tsx", ()),
        ("The port is 8080, not 3000, on the staging server.", "", ()),
        ("Branches are named feature/<ticket>.", "src/a.py", ()),
        ("Serve no HTML report.", "", ()),
    ],
)  # fmt: skip
def test_files_are_those_that_were_wrong_or_that_the_words_name(
    statement: str, written: str, patterns: tuple[str, ...]
) -> None:
    assert _derive(statement, files=(written,) if written else ()).file_patterns == patterns


@pytest.mark.parametrize(
    ("statement", "written", "patterns"),
    [
        ("You forgot to add it to CHANGELOG.md.", ("src/app/cli.py",), ("src/app/*.py",)),
        ("If you add a route, add it to openapi.yaml.", ("src/routes/users.ts",), ("src/routes/*.ts",)),
        ("CHANGELOG.md goes with every change of src/.", ("src/a.py",), ("src/**",)),
        ("Update the README with every new option.", (), ()),
    ],
)  # fmt: skip
def test_what_was_forgotten_is_noticed_where_the_rest_is_written(
    statement: str, written: tuple[str, ...], patterns: tuple[str, ...]
) -> None:
    derived = _derive(statement, files=written)
    assert derived.file_patterns == patterns
    assert not {"changelog.md", "openapi.yaml", "setup.cfg", "readme"} & set(derived.action_keywords)


@pytest.mark.parametrize(
    "statement",
    [
        "Answer in German.", "Don't write code yet.", "Keep your answers short.", "Explain your plan first.",
        "Ask me one question at a time.", "Do it yourself, don't tell me to.",
        "Never start before I say so.", "Be honest, no flattery.", "Bitte immer auf Deutsch antworten.",
        "Don't apologise.", "Test it yourself.",
    ],
)  # fmt: skip
def test_conduct_has_no_moment(statement: str) -> None:
    assert _derive(statement, files=("src/a.py",), commands=("npm test",)) == Triggers()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("Use pnpm, not npm.", ("npm",)),
        ("Read API keys from the environment.", ("api keys",)),
        ("Terminals in the browser use xterm.js.", ("xterm.js",)),
        ("Never call getUserById in a loop.", ("getuserbyid",)),
        ("Use luxon for dates.", ()),
        ("The client shows the date in the format of the view.", ()),
        ("Install the package before you add a test.", ()),
        ("Never commit secrets.", ()),
        ("The brownfield ledger keeps refunds.", ("brownfield", "ledger", "refunds")),
    ],
)
def test_keywords_are_distinctive_and_never_what_is_wanted(statement: str, words: tuple[str, ...]) -> None:
    assert _derive(statement).action_keywords == words


def test_scratch_files_outside_of_the_project_say_nothing() -> None:
    derived = triggers.derive("Dates are year first.", files=["/tmp/try.py"], project="/p")
    assert derived.file_patterns == ()


def test_without_a_statement_the_quote_is_read() -> None:
    assert triggers.derive("", "nope, kubectl apply is forbidden, never run kubectl").command_patterns


def _history(share: int) -> Calls:
    """A hundred calls before the moment, `share` of them on Python files below src."""
    files = [f"/p/src/m{number}.py" for number in range(share)]
    return Calls(files=files, commands=[f"ls d{number}" for number in range(100 - share)])


def test_what_only_the_evidence_names_is_dropped_where_it_fires_too_often() -> None:
    words, files = "Stop adding comments that repeat the code.", ["/p/src/a.py"]
    rare = triggers.derive(words, files=files, project="/p", history=_history(5))
    often = triggers.derive(words, files=files, project="/p", history=_history(40))
    assert (rare.file_patterns, often.file_patterns) == (("**/*.py",), ())


def test_a_command_that_runs_often_is_narrowed_to_what_the_words_say_of_it() -> None:
    history = Calls(commands=["grep -rn foo src"] * 60 + ["ls"] * 40)
    derived = triggers.derive(
        "Never use grep on JSON output, use jq.",
        commands=["grep name out.json"],
        project="/p",
        history=history,
    )
    assert derived.command_patterns == ("grep *json*",)


def test_a_word_of_many_own_prompts_is_no_keyword() -> None:
    words = "The ledger keeps refunds."
    often = Calls(prompts=["look at the ledger"] * 10 + ["go on"] * 20)
    assert triggers.derive(words, history=often).action_keywords == ("refunds",)


def test_the_moment_itself_does_not_count_against_a_trigger() -> None:
    moment = [f"/p/reports/r{number}.py" for number in range(3)]
    history = Calls(files=[*(f"/p/web/v{number}.ts" for number in range(40)), *moment * 10])
    derived = triggers.derive("Dates in reports are year first.", files=moment, project="/p", history=history)
    assert derived.file_patterns == ("reports/*.py",)


def test_a_long_text_is_read_in_time() -> None:
    assert triggers.derive("never use " * 100_000, "in " * 300_000).command_patterns == ()


@pytest.mark.parametrize(
    ("often", "patterns"), [(5, ("grep",)), (20, ("grep *json*",)), (60, ("grep *json*",))]
)
def test_what_the_words_name_is_narrowed_before_it_is_told_often(
    often: int, patterns: tuple[str, ...]
) -> None:
    history = Calls(commands=["grep -rn foo src"] * often + ["ls"] * (100 - often))
    derived = triggers.derive(
        "Never use grep on JSON output, use jq.", commands=["grep -o name out.json"], history=history
    )
    assert derived.command_patterns == patterns


def test_a_command_that_the_words_name_stays_if_it_cannot_be_narrowed() -> None:
    history = Calls(commands=["git push"] * 20 + ["ls"] * 80)
    assert triggers.derive("Never push on Fridays.", history=history).command_patterns == ("git push",)


@pytest.mark.parametrize(
    ("statement", "ran", "caught"),
    [
        ("Build images with podman, docker isn't installed.", "docker build -t api .", "docker build"),
        ("Nunca hagas push directo a main, abre un pull request.", "git push origin main", "git push"),
        (
            "Ask me first before you delete any remote branch.",
            "git push origin --delete a",
            "git push *--delete",
        ),
        ("Never restart rabbitmq by hand.", "systemctl restart rabbitmq", "systemctl restart"),
        ("Never drop a table.", "psql -c 'drop table x'", "psql -c"),
        ("Don't install packages with sudo.", "sudo apt-get install curl", "sudo"),
    ],
)
def test_a_lesson_is_told_at_the_act_that_was_corrected_not_at_the_wanted_one(
    statement: str, ran: str, caught: str
) -> None:
    patterns = _derive(statement, commands=("ls -la", ran)).command_patterns
    assert caught in patterns
    assert not {"podman", "gh pr create"} & set(patterns)


def test_a_turn_that_did_nothing_of_what_a_lesson_says_adds_no_moment() -> None:
    assert _derive("Answer in German.", ("src/a.py",), ("npm test", "make")) == Triggers()
