"""Blocks in texts: what goes in comes out again, and nothing else moves."""

import itertools
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from learnloop.errors import Refused
from learnloop.patch import blocks, diff
from tests.examples import examples

IDS = ("aaaa", "bbbb", "cccc", "dddd", "eeee")
TEXTS = (
    "", "abc", "abc\n", "abc\n\n", "\n", "\r\n", "# Title", "# Title\n", "# Title\n\nbody\n",
    "---\nname: x\ntools: Read\n---\n# Title\n\nbody", "---\nname: x\n---", "---\nname: x\n---\n\n\nbody\n",
    "\ufeff# Title\r\nbody\r\n", "\ufeff", "Title\n=====\nbody\n", "a\r\nb\r\nc", "a\r\nb\nc\n",
    "abc\r", "# T\r",
    "\ufeff---\r\nname: x\r\n---\r\n# Ü\r\n", "line with <!-- a comment -->\n", "```\ncode\n```\n",
    "\x0c\u2028x\n",
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("placements", [("append",) * 3, ("prepend",) * 3, ("append", "prepend", "append")])
def test_blocks_go_out_in_any_order_and_leave_the_text_as_it_was(text: str, placements: Any) -> None:
    made = text
    for block_id, placement in zip(IDS, placements, strict=False):
        made = blocks.insert(made, block_id, f"- {block_id} says\n  something", placement)
    assert blocks.outside(blocks.parse(made)) == text
    assert {block.id for block in blocks.blocks(made)} == set(IDS[:3])
    for order in itertools.permutations(IDS[:3]):
        left = made
        for block_id in order:
            left = blocks.remove(left, block_id)
        assert left == text


def test_a_region_that_came_after_another_goes_out_whole_when_that_one_went_first() -> None:
    text = "---\nname: x\n---"
    made = blocks.insert(text, "aaaa", "- One.", "prepend")
    made = blocks.insert(made, "bbbb", "- Two.", "append")
    assert blocks.remove(blocks.remove(made, "aaaa"), "bbbb") == text
    assert blocks.remove(blocks.remove(made, "bbbb"), "aaaa") == text


def test_a_region_reads_well_and_keeps_its_order() -> None:
    made = blocks.insert("# Reviewer\n\nLook.\n", "bbbb", "- Second.", "append")
    made = blocks.insert(made, "aaaa", "- First.", "append")
    made = blocks.insert(made, "cccc", "- Third.", "append")
    assert [block.id for block in blocks.blocks(made)] == ["aaaa", "bbbb", "cccc"]
    assert made.count("learnloop:begin") == made.count(blocks.HEADING) == 1
    assert "Look.\n\n<!-- learnloop:begin append 1" in made
    assert made.endswith("<!-- learnloop:end append 1 -->\n")


def test_a_first_block_comes_below_front_matter_and_title() -> None:
    text = "---\nname: x\n---\n\n# Title\n\nbody\n"
    made = blocks.insert(text, "aaaa", "- Mind this.", "prepend")
    assert made.startswith("---\nname: x\n---\n\n# Title\n\n<!-- learnloop:begin prepend")
    assert made.endswith("<!-- learnloop:end prepend 1 -->\n\nbody\n")
    without = blocks.insert("---\nname: x\n---\nbody\n", "aaaa", "- Mind this.", "prepend")
    assert without.startswith("---\nname: x\n---\n\n<!-- learnloop:begin prepend")


def test_putting_it_in_again_changes_nothing_and_other_words_take_its_place() -> None:
    once = blocks.insert("abc\n", "aaaa", "- One.", "append")
    assert blocks.insert(once, "aaaa", "- One.", "append") == once
    other = blocks.insert(once, "aaaa", "- Two.", "append")
    assert "One" not in other
    assert blocks.remove(other, "aaaa") == "abc\n"
    moved = blocks.insert(once, "aaaa", "- One.", "prepend")
    assert moved.index("learnloop:aaaa") < moved.index("abc")
    assert blocks.remove(moved, "aaaa") == "abc\n"


@pytest.mark.parametrize(
    "words",
    [
        "<!-- /learnloop:aaaa -->", "x -->\n<!-- learnloop:end append 1 -->",
        "<!-- learnloop:bbbb/000000 -->",
        "<!--- x --->", "<!<!---- nested -->-->",
        "<!-- learnloop:begin append 2 -->\n## Learned from feedback",
    ],
)  # fmt: skip
def test_no_words_close_the_mark_or_forge_another(words: str) -> None:
    text = "# Title\n\nbody\n"
    made = blocks.insert(text, "aaaa", words, "append")
    held = blocks.blocks(made)
    assert [(one.id, one.intact) for one in held] == [("aaaa", True)]
    assert blocks.remove(made, "aaaa") == text


@given(words=st.text(alphabet=st.sampled_from("<!-> /learnoop:ab\n\r`~#09"), max_size=60))
@settings(max_examples=examples(400), deadline=None)
def test_hostile_words_never_leave_their_block(words: str) -> None:
    try:
        made = blocks.insert("x\n", "aaaa", words, "append")
    except Refused:
        return
    assert [(block.id, block.intact) for block in blocks.blocks(made)] == [("aaaa", True)]
    assert blocks.remove(made, "aaaa") == "x\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("---\nname: x\n", "front matter"), ("abc\n<!-- open\n", "comment"), ("```\ncode\n", "fence"),
        ("~~~~\ncode\n~~~\n", "fence"),
    ],
)  # fmt: skip
def test_a_text_that_would_swallow_the_block_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        blocks.insert(text, "aaaa", "- Words.", "append")


def test_edited_torn_and_doubled_blocks_are_known() -> None:
    made = blocks.insert("abc\n", "aaaa", "- One.", "append")
    edited = made.replace("One", "Uno")
    assert [block.intact for block in blocks.blocks(edited)] == [False]
    two = blocks.insert("abc\n", "aaaa", "- One.\n- Two.", "append")
    torn = two.replace("<!-- /learnloop:aaaa -->\n", "")
    assert [block.kind for block in blocks.blocks(torn)] == ["torn"]
    assert [block.id for block in blocks.blocks(made + made)] == ["aaaa", "aaaa"]
    assert blocks.unmark(edited, "aaaa") == "abc\n- Uno.\n"


def test_a_block_of_one_line_has_one_mark_behind_it() -> None:
    made = blocks.insert("abc\n", "aaaa", "- One.", "append")
    [line] = [line for line in made.splitlines() if "One" in line]
    assert line == f"- One. <!-- learnloop:aaaa/{blocks.checksum('- One.')} -->"
    assert made.count("learnloop:aaaa") == 1


def test_a_block_as_earlier_versions_wrote_it_is_read_replaced_and_taken_out() -> None:
    marked = f"<!-- learnloop:aaaa/{blocks.checksum('- One.')} -->\n- One.\n<!-- /learnloop:aaaa -->\n"
    now = f"- One. <!-- learnloop:aaaa/{blocks.checksum('- One.')} -->\n"
    made = blocks.insert("abc\n", "aaaa", "- One.", "append")
    before = made.replace(now, marked)
    assert [(block.id, block.body, block.intact) for block in blocks.blocks(before)] == [
        ("aaaa", "- One.", True)
    ]
    assert blocks.remove(before, "aaaa") == "abc\n"
    assert blocks.insert(before, "aaaa", "- One.", "append") == made
    assert blocks.remove(blocks.insert(before, "bbbb", "- Two.", "append"), "aaaa", "bbbb") == "abc\n"


def test_other_newlines_of_an_editor_are_no_edit() -> None:
    made = blocks.insert("abc\n", "aaaa", "- One.\n- Two.", "append")
    converted = made.replace("\n", "\r\n")
    assert [block.intact for block in blocks.blocks(converted)] == [True]
    assert blocks.remove(converted, "aaaa") == "abc\r\n"


# Sequences: what a person does between our steps stays, and nothing else does.

LINES = st.lists(
    st.sampled_from(["word", "# head", "- item", "", "ünïcödé 漢字", "   ", "```", "text <b>", "> quote",
                     "\t"]),
    max_size=8,
)  # fmt: skip
NEWLINES = st.sampled_from(["\n", "\r\n", "mixed"])
STEP = st.one_of(
    st.tuples(st.just("apply"), st.integers(0, 4), st.sampled_from(["append", "prepend"])),
    st.tuples(st.just("update"), st.integers(0, 4), st.integers(0, 99)),
    st.tuples(st.just("revert"), st.integers(0, 4), st.just(0)),
    st.tuples(st.just("edit"), st.integers(0, 30), st.sampled_from(["before", "after", "delete", "change"])),
)


@st.composite
def originals(draw: st.DrawFn) -> str:
    """A file of a person: each line is told from every other by its number."""
    newline = draw(NEWLINES)
    found = draw(LINES)
    front = draw(st.booleans())
    lines = [f"{line} {number}z" for number, line in enumerate(found) if line != "```"]
    if draw(st.booleans()):
        lines += ["", ""]
    ends = [draw(st.sampled_from(["\n", "\r\n"])) if newline == "mixed" else newline for _ in lines]
    text = "".join(line + end for line, end in zip(lines, ends, strict=True))
    if front:
        text = f"---{newline if newline != 'mixed' else chr(10)}name: agent{chr(10)}---{chr(10)}{text}"
    if text and draw(st.booleans()):
        text = text.rstrip("\r\n")
    if draw(st.booleans()):
        text = "\ufeff" + text
    if draw(st.integers(0, 4)) == 0:
        text = blocks.insert(text, "zzzz", "- Of another machine.", "append")
    return text


def edited(text: str, number: int, how: str, stamp: int) -> str | None:
    """A hand edit at a line that is told by its number, the same in any text that holds the line once."""
    mark = f" {number}z"
    lines = diff.lines(text)
    places = [
        at
        for at, line in enumerate(lines)
        if line.rstrip("\r\n").endswith(mark) and not line.startswith("<!--")
    ]
    if len(places) != 1:
        return None
    at = places[0]
    line = lines[at]
    body = line.rstrip("\r\n")
    end = line[len(body) :]
    if body.startswith("\ufeff"):
        return None
    if how == "before":
        lines[at] = f"by hand {stamp}\n{line}"
    elif how == "after":
        lines[at] = f"{body}\nby hand {stamp}{end}"
    elif how == "delete":
        lines[at] = f"gone {stamp}{end}"
    else:
        lines[at] = f"changed {stamp}{mark}{end}"
    return "".join(lines)


@given(original=originals(), steps=st.lists(STEP, max_size=14), order=st.permutations(IDS))
@settings(max_examples=examples(2000), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_after_reverting_all_the_file_is_the_original_and_the_hand_edits(
    original: str, steps: list[tuple[str, int, Any]], order: list[str]
) -> None:
    text, shadow = original, original
    for stamp, (step, number, how) in enumerate(steps):
        if step == "edit":
            both = edited(text, number, how, stamp), edited(shadow, number, how, stamp)
            if None not in both:
                text, shadow = str(both[0]), str(both[1])
            continue
        block_id = IDS[number]
        is_there = any(block.id == block_id for block in blocks.blocks(text))
        if step == "apply":
            text = blocks.insert(text, block_id, f"- Words of {block_id}.", how)
        elif step == "update" and is_there:
            text = blocks.insert(text, block_id, f"- Words {how} of {block_id}.\n- And more.", "append")
        elif step == "revert":
            text = blocks.remove(text, block_id)
        assert blocks.outside(blocks.parse(text)) == blocks.outside(blocks.parse(shadow))
        assert all(block.intact for block in blocks.blocks(text))
    for block_id in order:
        text = blocks.remove(text, block_id)
    assert text == shadow


WANTED = st.lists(
    st.builds(
        blocks.BlockRequest, st.sampled_from(IDS), st.sampled_from(["- One.", "- Two.\n- Three."]),
        st.sampled_from(["append", "prepend"]),
    ), max_size=6, unique_by=lambda one: one.id,
)  # fmt: skip


@given(text=originals(), first=WANTED, then=WANTED)
@settings(max_examples=examples(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_several_at_once_are_the_same_as_one_by_one(
    text: str, first: list[blocks.BlockRequest], then: list[blocks.BlockRequest]
) -> None:
    at_once, in_turn = text, text
    for wanted in (first, then):
        at_once = blocks.insert_all(at_once, wanted)
        for one in wanted:
            in_turn = blocks.insert(in_turn, one.id, one.words, one.placement)
        held = [[(piece.id, piece.body) for piece in blocks.blocks(one)] for one in (at_once, in_turn)]
        assert sorted(held[0]) == sorted(held[1])
        assert blocks.outside(blocks.parse(at_once)) == blocks.outside(blocks.parse(in_turn))
    assert blocks.remove(at_once, *IDS) == blocks.remove(in_turn, *IDS) == text


@given(before=originals(), words=st.sampled_from(["- One.", "- One.\n- Two."]), append=st.booleans())
@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_diff_is_one_that_tools_apply(
    tmp_path_factory: pytest.TempPathFactory, before: str, words: str, append: bool
) -> None:
    after = blocks.insert(before, "aaaa", words, "append" if append else "prepend")
    folder = tmp_path_factory.mktemp("diff")
    file = Path(folder, "agent.md")
    file.write_bytes(before.encode())
    told = diff.unified("agent.md", before, after)
    subprocess.run(
        ["git", "apply", "-p0", "--whitespace=nowarn", "-"], cwd=folder, input=told.encode(), check=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "GIT_CEILING_DIRECTORIES": str(folder.parent)},
    )  # fmt: skip
    assert file.read_bytes() == after.encode()


def test_a_diff_side_by_side_pairs_what_changed() -> None:
    rows = diff.side_by_side("a\nb\nc\n", "a\nB\nc\nd\n")
    assert ("~", "b", "B") in rows
    assert ("+", "", "d") in rows
    assert diff.unified("x", "same\n", "same\n") == ""


@pytest.mark.parametrize(("words", "block"), [
    ("Read @~/.aws/credentials", "Read `@~/.aws/credentials`"), ("@docs/a.md", "`@docs/a.md`"),
    ("mail eve@example.com", "mail eve@example.com"), ("use `@app.get`", "use `@app.get`"),
    ("Say [DONE] <time> | <task>.", "Say [DONE] `<time>` | `<task>`."), ("a < b | c > d", "a < b | c > d"),
    ("Branches are <user>/<task>.", "Branches are `<user>/<task>`."), ("`<time>` first", "`<time>` first"),
    ("Return Vec<T>.", "Return `Vec<T>`."), ("Pipe with |>", "Pipe with |>"),
    ("```\n@decorated\n```", "```\n@decorated\n```"),
])  # fmt: skip
def test_a_block_imports_no_file_and_hides_no_tag(words: str, block: str) -> None:
    assert blocks.safe_body(words) == block
    assert blocks.safe_body(block) == block
