"""Redaction: what is removed whole, what stays readable, and what a text may cost."""

import json
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from learnloop.wire import redact, secret_forms, secret_places, secret_rows, secret_tokens
from learnloop.wire.redact import cleaned
from tests.secret_texts import made

SRC = Path(__file__).parents[2] / "src"
EXAMPLES = Path(__file__).parents[1] / "data" / "secret_examples.json"
LITTLE = 500_000
"""Nanoseconds below which a measurement says nothing."""
KEY = made("AKIA<U16>", 1)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("export API_KEY=abc123def456", "export API_KEY=[secret removed]"),
        ("PASSWORD=correcthorse", "PASSWORD=[secret removed]"),
        ("password is hunter2!", "password is [secret removed]"),
        ('{"token": "abcd efgh"}', '{"token": "[secret removed]"}'),
        ('-d "{\\"password\\": \\"hunter2\\"}"', '-d "{\\"password\\": \\"[secret removed]\\"}"'),
        ("password=Tr0ub4dor&3 && run", "password=[secret removed] && run"),
        ("https://h/?token=abc123&x=1", "https://h/?token=[secret removed]&x=1"),
        ("git clone https://me:s3cr3t@host/r", "git clone https://me:[password removed]@host/r"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNza", "[private key removed]"),
        (f"a {KEY} b {KEY}", "a [AWS key removed] b [AWS key removed]"),
        ("pay with 4111 1111 1111 1111 now", "pay with [card number removed] now"),
        (
            "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44: hunter22",
            "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff44: [secret removed]",
        ),
        ("p\u0430ssw\u043erd: hunter22", "p\u0430ssw\u043erd: [secret removed]"),
        (f'"{KEY[:9]}" + "{KEY[9:]}"', '"[AWS key removed]"'),
        ("user,password,role\neve,hunter22,admin", "user,password,role\neve,[secret removed],admin"),
        (
            "| user | token |\n|--|--|\n| eve | ab12Cd34Ef56Gh78 |",
            "| user | token |\n|--|--|\n| eve | [secret removed] |",
        ),
        (
            "USER   PASSWORD  ROLE\neve    hunter22  admin",
            "USER   PASSWORD  ROLE\neve    [secret removed]  admin",
        ),
        ("a <private>plan</private> b", "a [private removed] b"),
        ("a <PRIVATE>plan\n<private>x</private> y</Private> b", "a [private removed] b"),
        ("a <private>plan that nobody closes", "a [private removed]"),
        ("pass\u200bword=hun\u200bter2", "pass\N{REPLACEMENT CHARACTER}word=[secret removed]"),
    ],
)
def test_removed(text: str, expected: str) -> None:
    assert cleaned(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "the token: use the new one",
        "See https://example.org/a:b and mail me@example.org",
        "Never commit a password or an API key.",
        "order 4111 1111 1111 1112, run 1700000000000, id 12345678901234567890",
        "suite | pass | fail\nwire | 12 | 0",
        "arn:aws:secretsmanager:eu-central-1:418820013377:secret:prod/db-AbC1dE",
        "PASSWORD_RESET_TIMEOUT=1800 and TOKEN_HEADER = 'x-auth-token2'",
        "the token of OAuth2Login is a UTF-8 text, see RFC6750",
        "C# has private, List<private_t> is a type",
        "",
    ],
)
def test_kept(text: str) -> None:
    assert cleaned(text) == text


@pytest.mark.parametrize("kind", ["ids", "paths"])
@pytest.mark.slow
def test_clean_names_pass_unchanged(kind: str) -> None:
    ids = [
        made(template, seed)[0]
        for template in ("<u1>", "toolu_01<w22>", "msg_<w24>", "agent-<h16>", "session-12")
        for seed in range(200)
    ]
    library = Path(sysconfig.get_path("stdlib"))
    names = ids if kind == "ids" else [str(path) for path in library.rglob("*")]
    assert [name for name in names if cleaned(name) != name] == []


@pytest.mark.parametrize("seed", range(20))
def test_redacting_twice_changes_nothing_more(seed: int) -> None:
    for template in json.loads(EXAMPLES.read_text("utf-8"))["holds"]:
        once = cleaned(made(template, seed)[0])
        assert cleaned(once) == once


@pytest.mark.parametrize("size", [49, 64, 88, 180])
def test_a_password_in_an_address_goes_however_long_it_is(size: int) -> None:
    secret = ("p4c9e1b07d" * 20)[:size]
    assert secret not in redact.redact(f"DATABASE_URL=postgres://u8f3kq2m:{secret}@ec2-1.example.com:5432/d1")
    assert secret not in redact.redact(f"see rediss://:{secret}@cache.example.com:6380 first")


def test_a_token_over_two_lines_goes_and_the_next_sentence_stays() -> None:
    token, _ = made("ghp_<w10>\n<w26>", 1)
    assert cleaned(f"use {token}\nthen run it") == "use [GitHub token removed]\nthen run it"
    whole, _ = made("ghp_<w36>", 1)
    assert cleaned(f"{whole}\nthen run it") == "[GitHub token removed]\nthen run it"


def test_capitals_without_a_small_letter_of_their_own_move_nothing() -> None:
    assert cleaned("\u0130\u0130\u0130 password=hunter22") == "\u0130\u0130\u0130 password=[secret removed]"


@pytest.mark.parametrize(
    ("extras", "expected"),
    [
        (["Bluebird"], "project [removed] at ACME-123456 (beta)"),
        (["ACME-[0-9]{6}"], "project Bluebird at [removed] (beta)"),
        (["re:ACME-[0-9]{6}"], "project Bluebird at [removed] (beta)"),
        ([r"re:\bBlue\w+", "3456 (b"], "project [removed] at ACME-12[removed]eta)"),
        (["Blue|ACME"], "project [removed]bird at [removed]-123456 (beta)"),
        (["ACME-[0-9]{9}", "re:(", ""], "project Bluebird at ACME-123456 (beta)"),
    ],
)
def test_what_a_person_wants_removed_besides(extras: list[str], expected: str) -> None:
    assert cleaned("project Bluebird at ACME-123456 (beta)", extras) == expected


def test_patterns_are_loaded_only_when_a_trigger_fires() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(SRC)!r})\n"
        "from learnloop.wire.redact import redact\n"
        "redact('Use tabs, and read https://example.org first: add a password field. ' * 500)\n"
        "redact('use a token ghp_0123456789abcdefghijABCDEFGHIJ', ['ACME-[0-9]{6}'])\n"
        "quiet = 're' in sys.modules\n"
        "redact('password=hunter22')\n"
        "print(quiet, 're' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "True"]


PIECES = (
    "a:", "://a:", "a-b-", "://@", "://u:b/@@", "password", "password:", "password=", "api_key=aaa&", "sk-",
    "eyJ", "ghp_\n", "-----BEGIN PRIVATE KEY-----", "token is ", "user a/", "mysql -u -x ",
    "Authorization: Basic ", "<private>",
    "seed phrase a bcd ", "</private><private>", "echo x | sudo -S ", "0000 ", "\u200b", "' as my token ",
    "_token 1", " password 1", "login as 1 ", "backup codes: 1a ", "\ttrue\t1\t", "secret set a --body",
    "AKIA/", "key: ", '\\"password\\":\\"', "password 1 ", "token aA1 ", "password 1a ", "auth('a', ",
    "| password | a1 |\n", "password,a1\n", "-p A1", 'passphrase "a b ', "put-parameter --value ", "<<<",
    "/user:a ", "admin/A1", "cred a/b1 ", "aA1! password ", "aA1!aaaa is my password ", "' + '",
    "\u043f\u0430\u0440\u043e\u043b\u044c 1 ",
    "\uff50\uff41\uff53\uff53 1", "MT", "_live_", "[x removed] ", "$6$",
    '"d":', "\uff1a", "login(", "login('", "login('a', 'b1',", "connect(((", " -p ", "docker login -p ",
    "@10.", "a:1:b:c:d1\n", "insert into ", "secret ", "net user a ", "key: {'a.b': ", "_ _ _ ", "admin/",
)  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.slow
def test_time_stays_bounded(piece: str) -> None:
    """No pattern blows up: 100 KB of what almost matches is done before the test's time limit."""
    for text in (piece * (100_000 // len(piece)), piece + "a" * 100_000, piece + "aA1" * 30_000):
        cleaned(text)


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.slow
def test_time_grows_in_proportion(piece: str) -> None:
    def spent(length: int) -> int:
        text = (piece * (length // len(piece) + 1))[:length]
        return min(_nanoseconds(text) for _ in range(5))

    assert spent(32_768) <= 64 * max(spent(2_048), LITTLE), "a quadratic cost would be 256 times as much"


def _nanoseconds(text: str) -> int:
    start = time.process_time_ns()
    cleaned(text)
    return time.process_time_ns() - start


def test_a_text_of_nothing_but_triggers_is_removed_and_not_searched() -> None:
    assert cleaned("fine so far. " + "password 1, " * 5_000).endswith(f"[{secret_forms.REST} removed]")


def test_no_row_is_missed_by_the_quick_look() -> None:
    def is_seen(*texts: str) -> bool:
        return all(not text.isascii() or any(hint in text for hint in redact.HINTS) for text in texts)

    missed = [row[0] for row in secret_rows.ROWS if not (is_seen(*row[1]) or (row[2] and is_seen(*row[2])))]
    assert missed == []
    assert all(trigger == trigger.lower() for row in secret_rows.ROWS for trigger in (*row[1], *row[2]))
    assert all(least > 9 for _, _, _, least in secret_tokens.ROWS)


def test_no_table_is_missed_by_the_quick_look() -> None:
    calls = (
        *secret_places.WITH_USER,
        *secret_places.ENDS_WITH_USER,
        *secret_places.ANY,
        *secret_places.KEYED,
    )
    options = [f" {option.lower()}" for option, _ in secret_places.OPTIONS]
    lines = [line.lower() for line in secret_places.LINES]
    missed = [name for name in (*calls, *options, *lines) if not any(map(name.__contains__, redact.HINTS))]
    assert missed == []
