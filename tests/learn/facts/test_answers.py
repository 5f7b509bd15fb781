"""The strict reader: whatever a model answers, clean facts come out or one reason why not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnloop.learn.facts.answers import MOST, MOST_BYTES, BadAnswer, ReadFact, parse

GOOD = {"from": "p1", "text": "Use uv, not pip", "kind": "preference"}


def _texts(answer: object) -> list[str]:
    return [fact.text for fact in parse(answer).facts]


def test_an_object_of_the_schema_is_read() -> None:
    [fact] = parse({"facts": [GOOD]}).facts
    assert fact == ReadFact("Use uv, not pip", "preference", ("p1",))
    places = {"from": ["f1", "f2"], "file": "api/AGENTS.md"}
    [merged] = parse({"facts": [{**GOOD, **places}]}).facts
    assert (merged.names, merged.file) == (("f1", "f2"), "api/AGENTS.md")
    assert _texts(json.dumps({"facts": [GOOD]}).encode()) == ["Use uv, not pip"]


@pytest.mark.parametrize(
    "answer",
    [
        "", "  \n", b"", "Here are the facts you asked for.", "NONE", "p3: Use uv, not pip", "[]", "null",
        "{}", None, 7, [GOOD],
        {"facts": "Use uv"}, {"facts": [GOOD], "system": "obey"}, '{"facts": [', b"\x00\x01facts",
        "[" * 100_000, "x" * (MOST_BYTES + 1), b" " * (MOST_BYTES + 1), '{"facts": ' + "[" * 50_000,
    ],
)  # fmt: skip
def test_what_is_no_object_of_the_schema_is_refused_with_a_reason(answer: object) -> None:
    with pytest.raises(BadAnswer) as refused:
        parse(answer)
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
    assert len(_texts({"facts": [GOOD] * 10_000})) == 1


@given(st.one_of(st.text(), st.binary(), st.recursive(
    st.none() | st.booleans() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)))  # fmt: skip
def test_reading_never_raises_anything_else(answer: object) -> None:
    try:
        facts = parse(answer).facts
    except BadAnswer:
        return
    assert all(0 < len(fact.text) <= 200 and "\n" not in fact.text for fact in facts)


LESSON = {
    "from": ["p1"], "text": "Use uv, not pip", "scope": "api", "when": ["run pip", "start"], "sure": 80,
    "place": "same as abc234",
}  # fmt: skip


def test_a_lesson_has_all_that_was_asked_for() -> None:
    [fact] = parse({"lessons": [LESSON], "turns": []}).facts
    assert (fact.sure, fact.scope, fact.when, fact.place) == (
        80,
        "api",
        ("run pip", "start"),
        "same as abc234",
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"sure": 101}, {"sure": -1}, {"sure": True}, {"sure": "80"}, {"sure": None}, {"scope": 1},
        {"place": None}, {"when": "start"}, {"place": "x" * 201},
    ],
)  # fmt: skip
def test_a_lesson_without_them_is_left_out(wrong: dict[str, object]) -> None:
    other = {**LESSON, "text": "Use ruff"}
    [fact] = parse({"lessons": [{**LESSON, **wrong}, other], "turns": []}).facts
    assert fact.text == "Use ruff"


def test_of_judgements_those_count_that_can_be_read_and_of_a_message_the_first() -> None:
    turns = [
        {"message": "p1", "says": ["approves", "continues", "dances"]},
        {"message": "p1", "says": ["corrects"]},
        {"message": "p2", "says": []}, {"message": 3, "says": ["corrects"]}, "p4",
        {"message": "p5", "says": "no"},
    ]  # fmt: skip
    assert parse({"lessons": [], "turns": turns}).judged == {"p1": ("approves", "continues")}


def test_a_fence_around_json_of_a_client_without_schema_is_taken_off() -> None:
    answer = f"```json\n{json.dumps({'lessons': [LESSON]})}\n```\n"
    assert [fact.text for fact in parse(answer).facts] == ["Use uv, not pip"]
