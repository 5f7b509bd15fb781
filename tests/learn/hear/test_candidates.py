"""Every sentence that carries a lesson becomes a candidate, ranked by the chance that a reviewer keeps it."""

import json

import pytest

from learnloop.learn.hear import candidates
from learnloop.learn.language import words


def ranked(prompt: str) -> tuple[words.OwnWords, list[candidates.ScoredSentence]]:
    """The ranked candidates of a prompt in mid-session."""
    own = words.own_words(prompt)
    return own, candidates.ranked(own, 4)


def drafted(prompt: str) -> list[str]:
    """The sentences of a prompt that become drafts, the likeliest first."""
    return [candidate.sentence for candidate in candidates.chosen(*ranked(prompt))]


STATED = [
    "We should NEVER talk to the payment sandbox from CI.",
    "never `npm link` a workspace package",
    "make sure you do not touch the vendored parser in future",
    "we don't want print statements in library code, ever",
    "I'd like to avoid global state in the scheduler",
    "stop adding comments that repeat the code",
    "update the rules so that agents always activate the venv first",
    "add to CLAUDE.md that migrations are never edited once merged",
    "create a rule: when fixing a bug, first write a failing test",
    "remember that the staging database is read only",
    "use pnpm, not npm",
    "not requests, use httpx everywhere",
    "I told you to run the linter before you commit",
    "why did you commit to main and not to a feature branch?",
    "do it yourself, don't tell me to run commands",
    "don't write any code yet, show me the plan first and wait for my approval",
    "nein, benutze immer pnpm statt npm",
    "be careful, this script could delete the customer data",
    "you forgot setup.cfg, tox.ini and docs/conf.py",
    "you missed the French translation file",
    "you broke production again, the connection pool ran dry",
]


@pytest.mark.parametrize("prompt", STATED)
def test_what_is_stated_outright_becomes_a_draft(prompt: str) -> None:
    assert len(drafted(prompt)) == 1


PLAIN = [
    "continue", "yes please, option 2", "add a button that exports the report as CSV",
    "can you explain how the cache works?", "fix the failing test in the parser",
    "looks good, commit and push", "the build fails with exit code 2",
]  # fmt: skip


@pytest.mark.parametrize("prompt", PLAIN)
def test_a_task_a_question_or_a_report_becomes_none(prompt: str) -> None:
    assert drafted(prompt) == []


def test_a_standing_rule_is_heard_in_any_position_of_a_longer_prompt() -> None:
    task = "Add an export button to the report page. It downloads the rows as CSV. Put it next to the filter."
    rule = "Never put user names into the log."
    for prompt in (f"{rule} {task}", f"{task} {rule} Then run the tests.", f"{task}\n\n{rule}"):
        assert drafted(prompt)[0] == rule.rstrip("."), prompt


@pytest.mark.parametrize(
    "prompt",
    [
        "never run terraform apply. Show me the plan first",
        "always write progress to stderr. Stdout is for data",
    ],
)
def test_a_rule_by_its_form_comes_before_what_is_said_with_it(prompt: str) -> None:
    assert prompt.startswith(drafted(prompt)[0])


def test_never_and_always_in_a_report_make_no_rule() -> None:
    for prompt in ("never seen this error before", "never mind, it works"):
        assert drafted(prompt) == [], prompt


def test_every_item_of_a_list_of_instructions_is_a_draft() -> None:
    rules = [
        "Always use type hints", "Never commit generated files", "Always run the linter before a commit",
        "Never use print for logging", "Always write commit messages in English",
    ]  # fmt: skip
    prompt = "Rules for this repo:\n" + "\n".join(f"- {rule}" for rule in rules)
    assert sorted(drafted(prompt)) == sorted(rules)


def test_code_and_what_others_said_are_no_candidates() -> None:
    prompt = "this is what the linter says\n```\nnever use eval, always use ast.literal_eval\n```\n"
    assert drafted(prompt) == []


def test_a_long_prompt_is_read_within_bounds() -> None:
    own, every = ranked("Never use tabs in this repository. " * 40_000)
    assert len(every) <= words.MOST_SENTENCES
    assert len(candidates.chosen(own, every)) <= 3


def test_a_chance_lies_between_nothing_and_certainty_and_orders_candidates() -> None:
    _, every = ranked("Never edit generated files. The button is blue. Can you open the page now please?")
    chances = [candidate.chance for candidate in every]
    assert chances == sorted(chances, reverse=True)
    assert all(0 < chance < 1 for chance in chances)
    assert every[0].sentence.startswith("Never edit")


def test_the_weights_are_small_and_hold_words_only() -> None:
    data = candidates.WEIGHTS.read_bytes()
    assert len(data) <= 200_000
    assert max(len(gram.split()) for gram in json.loads(data)["grams"]) <= 4


SEVERAL = [
    "Never log e-mail addresses. Always use the shared client. Tests go under tests/unit.",
    "1. never bump major versions\n2. run npm audit afterwards\n3. one commit per dependency",
    "Use pnpm, never npm. Never commit to main. Ask me before you delete a branch.",
]


@pytest.mark.parametrize("prompt", SEVERAL)
def test_three_rules_make_three_drafts(prompt: str) -> None:
    assert len(drafted(prompt)) == 3


def test_a_code_block_does_not_hide_the_sentence_behind_it() -> None:
    said = (
        "nope:\n```rust\nlet h = header.ok_or(Missing)?;\n```\nlike that. never use unwrap() outside of tests"
    )
    assert "never use unwrap() outside of tests" in drafted(said)
