"""Fingerprints, triggers and drafts: what makes two the same, when one matters, where it holds."""

import pytest

from learnloop.learn.lessons import fingerprint, triggers
from learnloop.models import Lesson
from learnloop.wire import globs
from tests.learn.drafted import draft_of


def test_the_same_words_have_the_same_fingerprint_whatever_their_form() -> None:
    one = fingerprint.fingerprint_of("pnpm is used instead of npm.", "project", "/p")
    assert one == fingerprint.fingerprint_of("  PNPM is used, instead of npm", "project", "/p")
    assert one != fingerprint.fingerprint_of("npm is used instead of pnpm.", "project", "/p")
    assert one != fingerprint.fingerprint_of("pnpm is used instead of npm.", "project", "/q")
    assert one != fingerprint.fingerprint_of("pnpm is used instead of npm.", "global")


def test_not_makes_a_difference() -> None:
    assert fingerprint.fingerprint_of("Tabs are used.", "global") != fingerprint.fingerprint_of(
        "Tabs are not used.", "global"
    )


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        (
            "The formatter is always run before committing.",
            "The formatter is always run before committing code.",
            True,
        ),
        ("The formatter is always run before committing.", "The linter is never run after pushing.", False),
        ("pnpm is used instead of npm.", "pnpm is used instead of yarn.", False),
    ],
)
def test_nearly_the_same_words_are_the_same_lesson(one: str, other: str, near: bool) -> None:
    left, right = (fingerprint.grams(fingerprint.normalise(text)) for text in (one, other))
    assert fingerprint.is_near(len(left & right), len(left), len(right)) is near


def test_a_remark_is_the_same_whatever_the_order_of_its_words() -> None:
    assert fingerprint.remark_fingerprint("you forgot the changelog entry") == fingerprint.remark_fingerprint(
        "the changelog entry, you forgot"
    )


def test_triggers_come_from_the_words_and_from_what_was_touched() -> None:
    found = triggers.derive(
        "pytest is used.",
        "No, use pytest",
        files=["/p/tests/test_parser.py"],
        commands=["python -m unittest"],
    )

    lexer_test = globs.spot("/p/src/test_lexer.py", ("/p",))
    assert any(globs.covers(pattern, lexer_test) for pattern in found.file_patterns)
    assert "pytest" in found.action_keywords
    assert "test" in found.action_keywords


def test_a_lesson_about_a_program_fires_beside_its_commands() -> None:
    found = triggers.derive(
        "pnpm is used instead of npm.", files=["/p/src/App.tsx"], commands=["npm install left-pad"]
    )

    assert globs.runs("npm", globs.simple_commands("cd web && npm install x"), "cd web && npm install x")
    assert set(found.command_patterns) == {"npm", "pnpm"}
    assert found.file_patterns == ()


def test_a_lesson_about_committing_fires_beside_git_commit() -> None:
    found = triggers.derive("The formatter is always run before committing.")

    assert found.command_patterns == ("git commit",)


@pytest.mark.parametrize(
    "said", ["The agent never force-pushes to main.", "The agent never pushes to main.", "The agent rebases."]
)
def test_what_names_a_command_does_so_in_every_form(said: str) -> None:
    assert triggers.derive(said).command_patterns in (("git push",), ("git rebase",))


def test_a_command_that_was_run_counts_as_far_as_the_words_name_it() -> None:
    ran = ["python -m unittest -v", "npm test", "cat a | unittest"]
    found = triggers.derive("pytest is used instead of unittest for every test.", commands=ran)

    assert found.command_patterns == ("pytest", "python -m unittest")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("don't leave it, that's wrong", ()),
        ("Bitte immer auf Deutsch kommentieren", ("deutsch", "kommentieren")),
        ("toujours lancer les tests avant de committer", ("lancer", "tests", "committer")),
        ("nunca edites los archivos generados", ("edites", "archivos", "generados")),
    ],
)
def test_words_of_form_are_no_keywords_in_any_language(said: str, words: tuple[str, ...]) -> None:
    assert triggers.content_words(said) == words


def test_how_to_talk_is_not_tied_to_files() -> None:
    assert triggers.derive("The agent always answers in English.", files=["/p/a.py"]).file_patterns == ()


@pytest.mark.parametrize(
    ("name", "pattern"),
    [
        ("test_a.py", "**/test_*.py"),
        ("a_test.go", "**/*_test.go"),
        ("a.test.ts", "**/*.test.ts"),
        ("app.tsx", "**/*.tsx"),
        ("Makefile", "**/Makefile"),
    ],
)
def test_a_file_names_its_kind(name: str, pattern: str) -> None:
    assert triggers.derive("Small functions are preferred.", files=[f"/p/{name}"]).file_patterns == (pattern,)


def _draft(words: str, **before: object) -> Lesson:
    return draft_of(words, before)


@pytest.mark.parametrize(
    ("words", "scope", "project"),
    [
        ("always use pnpm", "project", "/p"),
        ("always use pnpm in all projects", "global", ""),
        ("always use pnpm everywhere", "global", ""),
        ("always use pnpm everywhere in this repo", "project", "/p"),
    ],
)
def test_a_lesson_holds_in_its_project_unless_the_words_say_everywhere(
    words: str, scope: str, project: str
) -> None:
    lesson = _draft(words)
    assert (lesson.scope, lesson.project) == (scope, project)


def test_always_and_never_weigh_more() -> None:
    assert _draft("never push to main").priority == "HIGH"
    assert _draft("no, that's wrong, use pytest").priority == "MEDIUM"


def test_kinds_and_categories_are_inferred() -> None:
    assert (_draft("never push to main").kind, _draft("never push to main").category) == (
        "preference",
        "version control",
    )
    assert (_draft("no, use pytest").kind, _draft("no, use pytest").category) == ("fact", "testing")


def test_where_no_rule_makes_a_sentence_the_draft_needs_words() -> None:
    lesson = _draft("it's spelled 'organisation' everywhere in this code base")
    assert lesson.needs_words
    assert lesson.statement == ""
    assert "organisation" in lesson.title


def test_quoted_words_of_others_make_a_draft_external() -> None:
    assert _draft('from now on print "the deploy of the day is done" at the end').trust == "external"


def test_a_draft_has_the_same_id_at_every_ingest() -> None:
    assert _draft("never push to main").id == _draft("never push to main").id


def test_evidence_is_bounded() -> None:
    lesson = _draft(
        "never push to main " + "x" * 5000, files=[f"/p/{n}" for n in range(99)], commands=["c" * 999] * 99
    )
    (evidence,) = lesson.evidence
    assert len(evidence.quote) <= 600
    assert len(evidence.files) <= 10
    assert max(map(len, evidence.commands)) <= 200


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pytest is used instead of unittest.", "pytest is always used instead of unittest."),
        ("TypeScript is used instead of JavaScript.", "TypeScript is used, not JavaScript."),
        ("The database is never mocked.", "The database is not mocked."),
    ],
)
def test_always_and_the_way_to_deny_make_no_difference(one: str, other: str) -> None:
    assert fingerprint.fingerprint_of(one, "global") == fingerprint.fingerprint_of(other, "global")


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("you forgot the changelog entry", "No! You forgot the changelog entry again"),
        ("that's not how we name branches", "this is not how we name branches, please"),
    ],
)
def test_a_remark_is_known_again_though_said_otherwise(first: str, again: str) -> None:
    assert fingerprint.remark_fingerprint(first) == fingerprint.remark_fingerprint(again)


@pytest.mark.parametrize(
    ("statement", "patterns"),
    [
        ("The port is 8080, not 3000.", ()),
        ("The staging server is read only.", ()),
        ("The agent never force-pushes to main.", ()),
        ("Branches are named feature/<ticket>.", ()),
        ("prettier is always run on the files the agent touches.", ()),
        ("zod is used instead of joi.", ("**/*.ts",)),
        ("Comments the agent did not write are never removed.", ("**/*.ts",)),
        ("Dates are stored in UTC.", ("**/*.ts",)),
        ("snake_case is used for Python functions.", ("**/*.py",)),
        ("pytest is used instead of unittest.", ("**/test_*.py",)),
        ("The clock is never mocked in tests.", ("**/*.test.ts",)),
    ],
)
def test_files_count_where_the_words_have_to_do_with_them(statement: str, patterns: tuple[str, ...]) -> None:
    found = triggers.derive(statement, files=["/p/src/api/date.ts", "/p/README.md"], commands=["npm test"])
    assert found.file_patterns == patterns


@pytest.mark.parametrize(
    ("statement", "quote", "keywords"),
    [
        (
            "pnpm is used instead of npm.",
            "don't use npm, that's wrong, use pnpm",
            {"pnpm", "npm", "install", "package"},
        ),
        ("prettier is always run on the files the agent touches.", "", {"prettier"}),
        (
            "The database is not mocked.",
            "stop mocking the database, I hate it",
            {"database", "mock", "mocking"},
        ),
        ("A PR is always opened.", "remember to always open a PR", {"pr", "pull request"}),
        ("", "non, utilise plutôt le client partagé", {"client", "partagé"}),
        ("", "bitte immer auf Deutsch antworten", {"deutsch", "antworten"}),
    ],
)
def test_keywords_name_the_matter_not_the_mood(statement: str, quote: str, keywords: set[str]) -> None:
    found = triggers.derive(statement, quote)
    assert {*found.action_keywords, *found.context_keywords} == keywords


def test_a_lesson_about_what_is_run_fires_beside_what_was_run() -> None:
    found = triggers.derive("Only the affected tests are run.", files=["/p/a.ts"], commands=["npm test"])
    assert (found.command_patterns, found.file_patterns) == (("npm test",), ())


@pytest.mark.parametrize(
    ("statement", "action", "commands"),
    [
        ("API keys are read from the environment.", ("api keys",), ()),
        ("The database is never mocked in integration tests.",
         ("integration tests", "database", "mock", "integration"), ()),
        ("git add names the files.", ("git add",), ("git add",)),
        ("terraform apply is never run.", ("terraform apply", "terraform apply"), ("terraform apply",)),
        ("git is used instead of svn.", ("git", "svn"), ("git", "svn")),
        ("Type hints are always used in Python.", ("type hints", "hints"), ()),
        ("The type any is never used in TypeScript.", ("typescript",), ()),
        ("Branches are named after their issue.", ("branches",), ()),
        ("The agent asks before it pushes to main.", ("pushes",), ("git push",)),
    ],
)  # fmt: skip
def test_common_words_name_a_matter_only_beside_others(
    statement: str, action: tuple[str, ...], commands: tuple[str, ...]
) -> None:
    found = triggers.derive(statement)
    assert found.action_keywords == tuple(dict.fromkeys(action))
    assert set(found.command_patterns) <= set(commands)
    assert found.command_patterns[:1] == commands[:1]
