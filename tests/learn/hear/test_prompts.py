"""What a prompt says of the turn before it, through what `learn ingest --detect` answers."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from learnloop.learn.hear import features, prompts
from learnloop.learn.hear.prompts import Context, judge_refusal
from learnloop.learn.language import linear_model
from learnloop.service.intake import detection

SPECIFIED = {
    "No, that's wrong. I wanted X.": "correction",
    "No thats not what I meant.": "correction",
    "You misunderstood the requirements.": "correction",
    "Always use TypeScript strict mode.": "explicit_preference",
    "Never use var, use const or let.": "explicit_preference",
    "From now on, add tests for all functions.": "explicit_preference",
    "Stop, I need to rethink this.": "rejection",
    "Cancel that request.": "rejection",
    "Never mind, let's do something else.": "rejection",
    "Perfect, exactly what I needed!": "praise",
    "Thanks for that.": "praise",
    "Can you help me with React?": "none",
    "How does the authentication work?": "none",
    "No, always use strict mode from now on.": "explicit_preference",
}
"""The specification's own cases: the categories bind, its confidences do not."""

STANDING = [
    "always add a changelog entry",
    "Never commit directly to the main branch.",
    "from now on, one migration per pull request",
    "going forward use named exports",
    "remember that the staging database is read-only",
    "please remember to run the type checker",
    "we never mock the clock in this project",
    "we always squash before merging here",
    "ok good. from now on keep the summaries to three lines",
    "and never touch the generated folder",
]

ORDINARY = [
    "stop the server",
    "add a cancel button to the dialog",
    "thanks, now do the settings page",
    "Run this: ```stop``` then continue.",
    "Use `never` type for exhaustive checks.",
    'rename the label to "No, that is wrong"',
    "write a test that fails when the cache is wrong",
    "what does the error in line 12 mean?",
    "yes, both please",
    "commit and push",
    "there should be an endpoint for the export, plan it first",
    "```\nERROR: never use eval\n```\nwhat is this?",
    'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: don\'t do that',
]


def judge(text: str, **context: object) -> dict[str, Any]:
    return next(detection.judge_lines([json.dumps({"text": text, **context})]))


@pytest.mark.parametrize(("text", "category"), SPECIFIED.items())
def test_the_specified_cases_hold(text: str, category: str) -> None:
    assert judge(text)["category"] == category


@pytest.mark.parametrize("text", STANDING)
def test_plain_standing_words_are_caught_anywhere_in_a_session(text: str) -> None:
    for position in (1, 2, 30):
        answer = judge(text, position=position)
        assert answer["category"] == "explicit_preference"
        assert answer["feedback"] >= linear_model.read(prompts.WEIGHTS).threshold


@pytest.mark.parametrize("text", ORDINARY)
def test_tasks_code_and_logs_are_no_feedback(text: str) -> None:
    assert judge(text)["category"] == "none"


def test_a_report_is_weighed_against_a_question() -> None:
    broken = judge(
        "hmm, the page is still blank and now the console shows an error", previous="build the page"
    )
    asked = judge("which page shows the console?", previous="build the page")
    assert broken["category"] == "correction"
    assert broken["feedback"] > 0.8 > 0.3 > asked["feedback"]
    assert "hmm" in str(broken["reason"])


def test_the_agents_side_of_the_turn_counts() -> None:
    words = "the list is empty in the second tab"
    alone = prompts.detect_feedback(words, Context(position=3)).feedback
    assert prompts.detect_feedback(words, Context(position=3, failed=True)).feedback > alone
    assert prompts.detect_feedback(words, Context(position=3, edited=True)).feedback > alone
    assert prompts.detect_feedback(words, Context(position=3, reverted=True)).feedback > alone
    assert prompts.detect_feedback(words, Context(position=3, asked=True)).feedback < alone
    assert prompts.detect_feedback(words, Context(position=3, machine=True)).feedback == 0


def test_before_anything_was_delivered_nothing_is_judged() -> None:
    assert judge("the page is still blank and shows an error again", position=1)["category"] == "none"


def test_a_prompt_without_a_position_is_in_mid_session() -> None:
    assert judge("still broken") == judge("still broken", position=2)
    assert judge("still broken", position="3", previous=7) == judge("still broken")


def test_answers_come_in_order_with_their_ids_and_bad_lines_are_named() -> None:
    lines = [
        '{"id": "a", "text": "no, use uv"}',
        "",
        "nonsense",
        "[1]",
        '{"text": 5}',
        '{"id": 7, "text": ""}',
    ]
    answers = list(detection.judge_lines(lines))
    assert [answer.get("id") for answer in answers] == ["a", None, None, None, 7]
    assert [answer.get("line") for answer in answers] == [None, 3, 4, 5, None]
    assert answers[0].keys() == {"id", "category", "confidence", "feedback", "reason"}
    assert (answers[-1]["category"], answers[-1]["feedback"]) == ("none", 0.0)


def test_the_command_reads_lines_and_fails_where_one_is_bad(root: str) -> None:
    command = [sys.executable, "-m", "learnloop.cli.main", "detect"]
    given = '{"id": 1, "text": "no, tabs \\ud800"}\n{"id": 2}\n'
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert "1 line could not be read" in done.stderr
    assert answers[0]["category"] == "correction"
    assert answers[1] == {"id": None, "line": 2, "error": 'the line has no "text"'}


HUGE = 1_000_000
ODD = {
    "one long word": "x" * HUGE,
    "many words": "no, that is wrong. " * (HUGE // 19),
    "code": "```\n" + "never();\n" * (HUGE // 9) + "```",
    "open fence": "```" + "a" * HUGE,
    "backticks": "`" * HUGE,
    "quotes": '"' * HUGE,
    "slashes": "a/" * (HUGE // 2),
    "tags": "<a>" * (HUGE // 3),
    "names": "".join(f"<a{at}>" for at in range(HUGE // 10)),
    "brackets": "<system-reminder>" * (HUGE // 17),
    "line ends": "\r\n\r\n\n" * (HUGE // 5),
    "spaces": " " * HUGE,
    "emoji": "🎉" * 10_000,
    "right to left": "\u202e" + "לא, זה לא נכון " * 1000,
    "null bytes": "\0" * HUGE + "no, use uv",
    "marks": "?!" * (HUGE // 2),
    "dots": "." * HUGE,
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.slow
def test_odd_prompts_are_judged_with_bounded_work(name: str) -> None:
    start = time.process_time()
    answer = judge(ODD[name])
    assert 0 <= answer["feedback"] <= 1
    assert time.process_time() - start < 5  # a pattern that runs away takes minutes


def test_words_of_others_are_masked() -> None:
    text = "Look `at` https://example.org/never and src/app/main.py:\n```\nnever\n```\n$ npm wrong\nok 12"
    plain = features.masked_text(text)
    assert "never" not in plain
    assert "wrong" not in plain
    assert plain.split()[:5] == ["look", "_code", "at", "_url", "and"] or "_code" in plain
    assert plain.endswith("ok _num")


def test_the_weights_are_small_and_keep_no_prompt() -> None:
    raw = prompts.WEIGHTS.read_bytes()
    assert len(raw) < 150_000
    document = json.loads(raw)
    assert max(len(gram.split()) for gram in document["grams"]) <= 4
    assert document["categories"].keys() == {
        "correction", "rejection", "clarification", "enhancement", "praise", "explicit_preference"
    }  # fmt: skip


def test_the_same_prompt_is_always_judged_alike() -> None:
    texts = [*SPECIFIED, *STANDING, *ORDINARY]
    lines = [json.dumps({"text": text}) for text in texts]
    code = (
        "import sys, json; from learnloop.service.intake import detection;"
        "print(json.dumps(list(detection.judge_lines(sys.stdin))))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], input="\n".join(lines), capture_output=True, text=True, check=True,
            timeout=60, env={"PYTHONHASHSEED": seed, "PATH": ""},
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(runs) == 1


APPROVED = [
    "works now", "perfect, merge it", "It works as expected now.", "👍", "great, that works. commit it",
    "lgtm, ship it", "that did it, thanks", "funktioniert jetzt, danke",
]  # fmt: skip


@pytest.mark.parametrize("text", APPROVED)
def test_approval_counts_with_or_without_an_order_behind_it(text: str) -> None:
    assert judge(text, position=4)["category"] == "praise"


@pytest.mark.parametrize("words", ["use pnpm instead of npm", "don't push to main, open a PR"])
def test_a_refusal_that_says_what_to_do_is_a_correction(words: str) -> None:
    assert judge_refusal(words).category == "correction"


@pytest.mark.parametrize("words", ["", "no", "wait", "not now"])
def test_any_other_refusal_is_a_rejection(words: str) -> None:
    verdict = judge_refusal(words)
    assert (verdict.category, verdict.rule) == ("rejection", "refusal")


SHARED = Path(__file__).parents[4] / "shared" / "data" / "feedback-dev.jsonl"


@pytest.mark.skipif(not SHARED.exists(), reason="the labelled prompts are not here (../shared/data)")
def test_labelled_prompts_are_judged_as_their_readers_did() -> None:
    rows = [json.loads(line) for line in SHARED.read_text("utf-8").splitlines()]
    answers = [judge(row["text"], position=row["position"], previous=row["preceding"] or "") for row in rows]
    found = [answer["category"] != "none" for answer in answers]
    explicit = [hit for hit, row in zip(found, rows, strict=True) if row["strength"] == "explicit"]
    none = [
        hit for hit, row in zip(found, rows, strict=True) if row["label"] == "none" and not row["secondary"]
    ]
    assert sum(explicit) >= 0.85 * len(explicit)
    assert sum(none) <= 0.1 * len(none)
