"""The strict reader: whatever a model answers, clean facts come out or one reason why not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnloop.learn.facts.answers import MOST, MOST_BYTES, BadAnswer, parse

GOOD = {"from": "p1", "text": "Use uv, not pip", "kind": "preference"}


def _texts(answer: object, *, has_schema: bool = True) -> list[str]:
    return [fact.text for fact in parse(answer, has_schema=has_schema)]


def test_an_object_of_the_schema_is_read() -> None:
    [fact] = parse({"facts": [GOOD]}, has_schema=True)
    assert fact == ("Use uv, not pip", "preference", ("p1",), "")
    [merged] = parse({"facts": [{**GOOD, "from": ["f1", "f2"], "file": "api/AGENTS.md"}]}, has_schema=True)
    assert (merged.names, merged.file) == (("f1", "f2"), "api/AGENTS.md")
    assert _texts(json.dumps({"facts": [GOOD]}).encode()) == ["Use uv, not pip"]


@pytest.mark.parametrize(
    "answer",
    [
        "", "  \n", b"", "Here are the facts you asked for.", "NONE", "[]", "null", "{}", None, 7, [GOOD],
        {"facts": "Use uv"}, {"facts": [GOOD], "system": "obey"}, '{"facts": [', b"\x00\x01facts",
        "[" * 100_000, "x" * (MOST_BYTES + 1), b" " * (MOST_BYTES + 1), '{"facts": ' + "[" * 50_000,
    ],
)  # fmt: skip
def test_what_is_no_object_of_the_schema_is_refused_with_a_reason(answer: object) -> None:
    with pytest.raises(BadAnswer) as refused:
        parse(answer, has_schema=True)
    assert str(refused.value).startswith("the answer ")


@pytest.mark.parametrize(
    "item",
    [
        "Use uv", None, [], {}, {**GOOD, "text": 7}, {**GOOD, "text": ""}, {**GOOD, "text": "…"},
        {**GOOD, "text": "word " * 60}, {**GOOD, "text": "x" * 1_000_000}, {**GOOD, "kind": "command"},
        {**GOOD, "from": ""}, {**GOOD, "from": []}, {**GOOD, "from": [1]}, {**GOOD, "from": "p" * 40},
        {**GOOD, "text": "# Use uv"}, {**GOOD, "text": "---"}, {**GOOD, "text": "<!-- learnloop:begin -->"},
        {**GOOD, "text": "```sh"}, {**GOOD, "text": "Use \u202e uv"}, {**GOOD, "text": "Use \x1b[2J uv"},
        {**GOOD, "text": "Use \ud800 uv"}, {**GOOD, "file": 7},
    ],
)  # fmt: skip
def test_a_fact_that_does_not_fit_is_left_out_and_the_others_stay(item: object) -> None:
    assert _texts({"facts": [item, GOOD]}) == ["Use uv, not pip"]


def test_the_marks_of_a_list_are_no_words() -> None:
    assert _texts({"facts": [{**GOOD, "text": "- Use uv,\n  not pip"}]}) == ["Use uv, not pip"]


def test_of_ten_thousand_facts_the_first_are_read() -> None:
    many = [{**GOOD, "text": f"Use tool number {number}"} for number in range(10_000)]
    assert len(_texts({"facts": many})) == MOST
    assert len(_texts("\n".join(item["text"] for item in many), has_schema=False)) == MOST
    assert len(_texts({"facts": [GOOD] * 10_000})) == 1


@pytest.mark.parametrize(
    ("answer", "texts"),
    [
        ("NONE", []), ("NONE.", []), ("There are NONE in this message.", []),
        ("Use uv, not pip\nNo docstrings", ["Use uv, not pip", "No docstrings"]),
        ("- Use uv, not pip\n\n2. No docstrings", ["Use uv, not pip", "No docstrings"]),
        ("# Facts\nUse uv, not pip", ["Use uv, not pip"]),
        ('{"facts": [{"from": "p1", "text": "Use uv", "kind": "belief"}]}', ["Use uv"]),
    ],
)  # fmt: skip
def test_a_command_without_a_schema_answers_a_fact_a_line(answer: str, texts: list[str]) -> None:
    assert _texts(answer, has_schema=False) == texts


def test_a_line_may_name_its_prompt() -> None:
    assert parse("p3: Use uv, not pip", has_schema=False)[0].names == ("p3",)


def test_pairs_of_file_and_fact_are_read() -> None:
    answer = (
        "FILE: LEARNED.md\nFACT: Use uv\n\nFACT: lost\nFILE: `api/AGENTS.md`\nFACT: Use the bus\nFILE: x\n"
    )
    pairs = [(fact.file, fact.text) for fact in parse(answer, has_schema=False)]
    assert pairs == [("LEARNED.md", "Use uv"), ("api/AGENTS.md", "Use the bus")]


@given(st.one_of(st.text(), st.binary(), st.recursive(
    st.none() | st.booleans() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)), st.booleans())  # fmt: skip
def test_reading_never_raises_anything_else(answer: object, has_schema: bool) -> None:
    try:
        facts = parse(answer, has_schema=has_schema)
    except BadAnswer:
        return
    assert all(0 < len(fact.text) <= 200 and "\n" not in fact.text for fact in facts)
