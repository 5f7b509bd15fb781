"""Redaction: each rule by its examples, and what must stay readable."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from learnloop.wire.redact import HINTS, RULES, redact

EXAMPLES = [
    (
        "private key",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIEow\n-----END CERTIFICATE-----",
    ),
    ("password", "postgres://app:hunter2@db.internal/app", "https://example.org:8080/@handle"),
    ("token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.c2lnbmF0dXJl", "eyJust some words.eyJ and more"),
    ("API key", "sk-ant-api03-abcdefghij0123456789", "the sk-learn package, task-runner-configuration-file"),
    ("AWS key", "AKIAIOSFODNN7EXAMPLE", "ASIAN markets, AKIA"),
    ("GitHub token", "ghp_0123456789abcdefghijABCDEFGHIJ012345", "the prefix ghp_ marks a token"),
    ("GitLab token", "glpat-0123456789abcdefghij", "glpat-short"),
    ("Slack token", "xoxb-0123456789-abcdefghij", "xoxo and kisses, xox-a"),
    ("Google key", "AIzaSyA0123456789abcdefghijklmnopqrstuv", "AIzawa is a place"),
    ("package token", "npm_0123456789abcdefghijABCDEFGHIJ012345", "npm_config_registry=http://localhost"),
    ("bot token", "123456789:AAF0123456789abcdefghijABCDEFGHIJ01", "10:AA, 12345678:AAA batteries"),
    ("authorization", "Authorization: Bearer 0123456789abcdef", "the bearer of this letter"),
    ("secret", "DB_PASSWORD='correct horse'", "password: required, token = get_token(1), secret=$SECRET_1"),
    ("secret", "mysql --password hunter22 app", "mysql --password $PASSWORD app"),
]
"""For each rule, in their order: its name, a text that holds such a secret, and one that does not."""


def test_every_rule_has_examples() -> None:
    assert [name for name, _, _ in EXAMPLES] == [name for name, _, _ in RULES]


@pytest.mark.parametrize(("name", "secret", "harmless"), EXAMPLES)
def test_examples_of_a_rule(name: str, secret: str, harmless: str) -> None:
    shown = redact(f"before {secret} after")
    assert f"[{name} removed]" in shown
    assert shown.startswith("before ")
    assert shown.endswith(" after")
    assert redact(harmless) == harmless


@pytest.mark.parametrize(("rule", "example"), list(zip(RULES, EXAMPLES, strict=True)))
def test_an_example_fires_a_trigger_of_its_own_rule(
    rule: tuple[str, Sequence[Sequence[str]], str], example: tuple[str, str, str]
) -> None:
    _, triggers, _ = rule
    lowered = example[1].lower()
    assert any(all(part in lowered for part in group) for group in triggers)
    assert all(part == part.lower() for group in triggers for part in group)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("export API_KEY=abc123def456", "export API_KEY=[secret removed]"),
        ("PASSWORD=correcthorse", "PASSWORD=[secret removed]"),
        ("password is hunter2!", "password is [secret removed]"),
        ('{"token": "abcd efgh"}', '{"token": [secret removed]}'),
        ("password=Tr0ub4dor&3 && run", "password=[secret removed] && run"),
        ("https://h/?token=abc123&x=1", "https://h/?token=[secret removed]&x=1"),
        ("git clone https://me:s3cr3t@host/r", "git clone https://me:[password removed]@host/r"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNza", "[private key removed]"),
        ("a AKIAIOSFODNN7EXAMPLE b AKIAIOSFODNN7EXAMPLF", "a [AWS key removed] b [AWS key removed]"),
    ],
)
def test_removed(text: str, expected: str) -> None:
    assert redact(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "the token: use the new one",
        "use token=None here",
        "token=get_token(user)",
        "secret = os.environ['X1']",
        "max_tokens=4096000",
        "password: required",
        "See https://example.org/a:b and mail me@example.org",
        "Never commit a password or an API key.",
        "",
    ],
)
def test_kept(text: str) -> None:
    assert redact(text) == text


def test_extras() -> None:
    assert (
        redact("project Bluebird at acme.test", ["Bluebird", r"re:\bacme\.\w+"])
        == "project [removed] at [removed]"
    )
    assert redact("a (b", ["re:("]) == "a (b"
    assert redact("abc", [""]) == "abc"


def test_patterns_are_loaded_only_when_a_trigger_fires() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2] / 'src')!r})\n"
        "from learnloop.wire.redact import redact\n"
        "redact('Use tabs, and read https://example.org first. ' * 500)\n"
        "quiet = 're' in sys.modules\n"
        "redact('password=hunter22')\n"
        "print(quiet, 're' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    "piece", ["a:", "://a:", "password", "password=", "-----BEGIN PRIVATE KEY-----", "eyJ", "sk-"]
)
def test_time_stays_bounded(piece: str) -> None:
    """No pattern blows up: 100 KB of what almost matches is done before the test's time limit."""
    for text in (
        piece * (100_000 // len(piece)),
        (piece + " ") * (100_000 // len(piece)),
        piece + "a" * 100_000,
    ):
        redact(text)


def test_no_rule_is_missed_by_the_quick_look() -> None:
    groups = [group for _, triggers, _ in RULES for group in triggers]
    assert all(any(hint in part for hint in HINTS for part in group) for group in groups)
