"""Reasons for rejecting: the same words on the console and the command line."""

import pytest

from learnloop.cli.main import main
from learnloop.learn.lessons import reasons
from learnloop.service.lessons import lookup, rows
from tests.store.small_stores import drafts


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("wrong", "wrong"), ("Too_Vague", "too vague"), ("already-known", "already known"),
        ("ONE OFF", "one-off"), ("  we   dropped\nthat ", "we dropped that"), ("", ""),
        ("wrong place", "wrong place"),
    ],
)  # fmt: skip
def test_a_standing_word_is_known_however_it_is_written(said: str, kept: str) -> None:
    assert reasons.normalise_reason(said) == kept


def test_the_command_line_takes_them_and_names_them(root: str, capsys: pytest.CaptureFixture[str]) -> None:
    ws = drafts(root, "always ship the {} with a label", 4)
    ids = [row.id for row in rows.rows(ws)]
    assert main(["reject", ids[0], ids[1], "--reason", "too_vague"]) == 0
    assert main(["reject", ids[2], "--reason", "we dropped labels"]) == 0
    assert [lookup.find(ws, one).rejection_reason for one in ids[:3]] == [
        "too vague", "too vague", "we dropped labels",
    ]  # fmt: skip
    capsys.readouterr()
    assert main(["reject", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert all(name in told for name in reasons.REJECTING)
