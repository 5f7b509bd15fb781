"""The score of a lesson at a moment, to the hundredth, and the patterns and keywords it rests on."""

from typing import Any

import pytest

from learnloop.wire import globs, relevance
from learnloop.wire.relevance import score
from tests.learn.moments import PROJECT, bash, lesson, prompt, write


def parts(found: dict[str, Any]) -> tuple[int, ...]:
    return tuple(found[name] for name in ("tool", "target", "action", "context", "base", "final"))


@pytest.mark.parametrize(
    ("declared", "moment", "expected", "fires"),
    [
        ({}, write(), (20, 20, 5, 5, 50, 50), False),
        ({"files": ["*.py"]}, write(), (20, 40, 5, 5, 70, 70), True),
        ({"files": ["*.py"], "tools": ["Write"]}, write(), (40, 40, 5, 5, 90, 90), True),
        ({"files": ["*.py"], "tools": ["Edit"]}, write(), (0, 40, 5, 5, 50, 50), False),
        ({"files": ["*.py"], "tools": ["Edit"], "priority": "HIGH"}, write(), (0, 40, 5, 5, 50, 75), True),
        ({"files": ["*.ts"], "tools": ["Write"]}, write(), (40, 0, 5, 5, 50, 50), False),
        ({"action": ["print"]}, write(), (20, 20, 10, 5, 55, 55), False),
        ({"action": ["print"], "priority": "HIGH"}, write(), (20, 20, 10, 5, 55, 82), True),
        ({"action": ["print", "log", "list"]}, write(), (20, 20, 7, 5, 52, 52), False),
        ({"files": ["*.py"], "context": ["list", "queue"]}, write(), (20, 40, 5, 5, 70, 70), True),
        ({"commands": ["git push"]}, bash("git push origin"), (20, 40, 5, 5, 70, 70), True),
        ({"files": ["*.py"], "priority": "CRITICAL"}, write(), (20, 40, 5, 5, 70, 140), True),
    ],
)  # fmt: skip
def test_the_parts_at_a_tool(
    declared: dict[str, Any], moment: dict[str, Any], expected: tuple[int, ...], fires: bool
) -> None:
    found = score(lesson(**declared), moment)
    assert (parts(found), found["fires"]) == (expected, fires)


def test_declared_keywords_that_are_not_there_never_put_a_match_below_the_threshold() -> None:
    found = score(lesson(files=["*.py"], action=["deploy"], context=["queue"]), write())
    assert (found["base"], found["final"], found["fires"]) == (60, 70, True)
    wrong_tool = score(lesson(files=["*.py"], tools=["Edit"], action=["deploy"]), write())
    assert not wrong_tool["fires"]


def test_low_is_never_recalled_by_itself() -> None:
    everything = lesson(tools=["Write"], files=["*.py"], action=["print"], context=["list"], priority="LOW")
    found = score(everything, write())
    assert (found["base"], found["final"], found["fires"]) == (100, 50, False)
    assert found["why"] == "LOW is never recalled by itself"


def test_files_that_miss_need_an_action_keyword() -> None:
    missed = lesson(files=["*.ts"], tools=["Write"], priority="CRITICAL")
    assert not score(missed, write())["fires"]
    named = {**missed, "action": ["print"]}
    assert score({**named, "telling": {"print": 70}}, write())["fires"]
    assert not score({**named, "telling": {"print": 20}}, write())["fires"]


@pytest.mark.parametrize("moment", [write(), bash("make test")])
def test_patterns_of_the_other_kind_do_not_make_a_lesson_asked(moment: dict[str, Any]) -> None:
    other = {"commands": ["git push"]} if moment["tool"] == "Write" else {"files": ["*.py"]}
    assert not score(lesson(**other, priority="CRITICAL"), moment)["fires"]


@pytest.mark.parametrize("tool", ["Read", "Grep", "Glob", ""])
def test_other_tools_are_never_asked(tool: str) -> None:
    assert not score(lesson(files=["*.py"], priority="CRITICAL"), write(tool=tool))["fires"]


@pytest.mark.parametrize(
    ("declared", "words", "final", "fires"),
    [
        ({}, "deploy it", 0, False),
        ({"action": ["deploy"]}, "Deploy it", 70, True),
        ({"telling": {"vault": 50, "token": 20}}, "put the tokens into the vault", 70, True),
        ({"telling": {"vault": 50, "secret": 15}}, "the vault has a secret", 65, False),
        (
            {"telling": {"vault": 50, "secret": 15}, "priority": "CRITICAL"},
            "the vault has a secret",
            130,
            False,
        ),
        (
            {"telling": dict.fromkeys(["a", "list", "of", "new", "tests"], 20)},
            "a list of new tests",
            100,
            False,
        ),
        ({"telling": {"api key": 60, "key": 50}}, "no key but the api key", 60, False),
        ({"action": ["deploy"], "telling": {"deploy": 70, "queue": 20}}, "deploy the queue", 90, True),
        ({"action": ["deploy"]}, "look at it", 0, False),
        ({"action": ["deploy"], "priority": "LOW"}, "deploy it", 35, False),
        ({"action": ["deploy"], "priority": "HIGH"}, "deploy it", 105, True),
    ],
)
def test_the_score_at_a_prompt(declared: dict[str, Any], words: str, final: int, fires: bool) -> None:
    found = score(lesson(**declared), prompt(words))
    assert (found["final"], found["fires"]) == (final, fires)


def test_one_word_of_a_long_prompt_is_not_enough_and_its_middle_does_not_count() -> None:
    vault = lesson(telling={"vault": 100})
    assert score(vault, prompt("the vault " + "and so on " * 4))["fires"]
    assert not score(vault, prompt("the vault " + "and so on " * 20))["fires"]
    both = lesson(telling={"vault": 100, "token": 20})
    assert score(both, prompt("a token for the vault " + "and so on " * 20))["fires"]
    assert not score(both, prompt("and so on " * 30 + "a token for the vault" + " and so on" * 30))["fires"]


@pytest.mark.parametrize(
    "words",
    [
        "see https://vault.example.org/x",
        "cat /srv/vault/a.py",
        "```\nvault\n```",
        "write a commit message for the new vault",
    ],
)
def test_addresses_paths_from_the_root_quoted_code_and_what_was_done_say_nothing(words: str) -> None:
    assert not score(lesson(telling={"vault": 100}), prompt(words))["fires"]


@pytest.mark.parametrize(("words", "expected"), [
    ("yes", True), ("Yes, go on.", True), ("ok continue", True), ("proceed with the next step", False),
    ("yes, but use the vault", False), ("go on with the parser", False), ("", True),
])  # fmt: skip
def test_what_only_says_to_go_on(words: str, expected: bool) -> None:
    assert relevance.goes_on(words) is expected


@pytest.mark.parametrize(("declared", "path", "fires"), [
    ({}, "legacy/a.py", True), ({}, "src/a.py", False), ({"stake": []}, "legacy/a.py", False),
    ({"telling": {"legacy": 50}}, "legacy/a.py", False), ({"priority": "LOW"}, "legacy/a.py", False),
    ({"telling": {"legacy": 50, "billing": 20}, "stake": ["legacy", "billing"]}, "billing/legacy.py", True),
])  # fmt: skip
def test_words_that_a_lesson_speaks_against_tell_it_where_they_are_in_the_path(
    declared: dict[str, Any], path: str, fires: bool
) -> None:
    against = lesson(**{"telling": {"legacy": 70}, "stake": ["legacy"], **declared})
    moment = write(file=f"{PROJECT}/{path}", words="leave the legacy folder alone")
    assert score(against, moment)["fires"] is fires


def test_scope_and_agents_decide_whatever_the_score() -> None:
    def fires(moment: dict[str, Any], **declared: Any) -> bool:
        return bool(score(lesson(files=["*.py"], **declared), moment)["fires"])

    assert fires(write(), project=PROJECT)
    assert not fires(write(), project="/code/beta")
    assert fires(write(agent="Reviewer"), agents=["reviewer"])
    assert not fires(write(), agents=["reviewer"])
    assert fires(write(), project=PROJECT, path="src")
    assert fires(write(), project=PROJECT, path="./src/")
    assert not fires(write(), project=PROJECT, path="sr")
    assert not fires(write(file=f"{PROJECT}/docs/a.py"), project=PROJECT, path="src")


def test_a_module_without_a_file_is_where_the_agent_works() -> None:
    module = lesson(commands=["make"], project=PROJECT, path="pkg/api")
    assert score(module, bash("make", cwd=f"{PROJECT}/pkg/api/v1"))["fires"]
    assert not score(module, bash("make", cwd=f"{PROJECT}/pkg"))["fires"]


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.py", "/code/alpha/a.py", True), ("*.py", "/code/alpha/x/y/a.py", True), ("*.py", "a.pyc", False),
        ("**/plugin.json", "plugin.json", True), ("**/plugin.json", "/code/alpha/plugin.json", True),
        ("**/plugin.json", "/code/alpha/a/b/plugin.json", True), ("**/plugin.json", "/plugin.json", True),
        ("src/", "src/a.py", True), ("src/", "lib/src/a.py", True), ("src/", "src", False),
        ("src", "src/deep/a.py", True), ("/src", "lib/src/a.py", False), ("src/*.py", "src/a.py", True),
        ("src/*.py", "lib/src/a.py", False), ("src/*.py", "src/deep/a.py", False),
        ("src/**/*.py", "src/a.py", True), ("src/**/*.py", "src/x/y/a.py", True), ("src/**", "src", False),
        ("a?c.txt", "abc.txt", True), ("a?c.txt", "ac.txt", False), ("[a-c].txt", "b.txt", True),
        ("[!a-c].txt", "b.txt", False), ("[]x].txt", "].txt", True), (r"\*.txt", "*.txt", True),
        (r"\*.txt", "a.txt", False), ("test_*.py", "tests/test_a.py", True), ("*.*.py", "a.b.py", True),
        ("конфиг/*.toml", "/code/alpha/конфиг/é.toml", True), ("/etc/**", "/etc/nginx/a.conf", True),
        ("/code/alpha/src/*.py", "/code/alpha/src/a.py", True), ("src/*.py", "/elsewhere/src/a.py", False),
        ("*.conf", "/etc/nginx/a.conf", True), ("alpha/", "/code/alpha/a.py", False), ("", "a.py", False),
        ("src/*.py", "/code/alpha/.claude/worktrees/fix/src/a.py", True), ("./src/*.py", "src/a.py", True),
        ("src/*.py", "/code/alpha/docs/../src/a.py", True), ("[", "[", True),
    ],
)  # fmt: skip
def test_file_patterns_have_the_habits_of_gitignore(pattern: str, path: str, expected: bool) -> None:
    assert globs.covers(pattern, globs.spot(path, (PROJECT,))) is expected


def test_many_stars_end_soon() -> None:
    assert not globs.like("*a" * 60 + "b", "a" * 4_000)
    assert not globs.covers("**/a/" * 40 + "b", globs.spot("a/" * 900 + "c", ("",)))


@pytest.mark.parametrize(
    ("pattern", "command", "expected"),
    [
        ("git push", "git push", True),
        ("git push", "git push origin main", True),
        ("git push", "git pushx", False),
        ("git push", "cd src && git push", True),
        ("git push", "(git push)", True),
        ("git push", "x; git push", True),
        ("git push", "sudo -E GIT_DIR=x /usr/bin/git push", True),
        ("git push", "echo git push", False),
        ("git push", "echo 'x; git push'", False),
        ("git push", 'git commit -m "a && b" && git push', True),
        ("git push", "git commit -m 'it''s'; git push", True),
        ("git push", "git\\\n push", True),
        ("git push*--force*", "git push origin --force-with-lease", True),
        ("git push*--force", "git push", False),
        ("*--force*", "git push --force", True),
        ("npm run *", "npm run build", True),
        ("npm run *", "npm run", False),
        ("curl * | sh", "cd /tmp; curl https://x | sh", True),
        ("curl * | sh", "curl https://x | tee a", False),
        ("pytest", ".venv/bin/pytest -q", True),
        ("./run.sh", "bash; ./run.sh now", True),
        ("", "ls", False),
        ("make  test", "make   test", True),
        ("pytest", "if pytest; then echo; fi", True),
        ("b", "a | b", True),
        ("sudo", "cd /srv && sudo -u root apt-get install curl", True),
        ("sudo", "echo sudo", False),
        ("sudo", "man sudo; ls", False),
    ],
)
def test_command_patterns_cover_simple_commands(pattern: str, command: str, expected: bool) -> None:
    assert globs.runs(pattern, globs.simple_commands(command), command) is expected


@pytest.mark.parametrize(
    ("keyword", "text", "expected"),
    [
        ("migration", "Two MIGRATIONS wait", True),
        ("migrations", "one migration", True),
        ("commit", "recommit committed", False),
        ("git commit", "use git_commit here", True),
        ("user_id", "the user-id", True),
        ("query", "queries", True),
        ("queries", "query", True),
        ("process", "processes", True),
        ("processes", "process", True),
        ("class", "clas", False),
        ("--no-verify", "git commit --no-verify", True),
        ("部署", "请部署到生产", True),
        ("部署", "部 署x", True),
        ("déjà", "DÉJÀ vu", True),
        ("ключ", "Ключ лежит", True),
        ("ключ", "ключи", False),
        ("", "a", False),
        ("x", "xs", False),
        ("api", "the API.", True),
        ("!!", "!!", False),
        ("git commit", "git x commit", False),
    ],
)
def test_keywords_are_whole_words_in_either_number(keyword: str, text: str, expected: bool) -> None:
    assert (relevance.found([keyword], relevance.Moment(prompt(text))) == [keyword]) is expected
