"""Flags text that instructs an agent instead of stating a fact (prompt injection).

A flag refuses nothing: the person sees it and decides, and cannot promote a flagged draft in bulk.
"""

from collections.abc import Iterator

from learnloop.learn.language import lookalikes
from learnloop.learn.offers import intents, order_chance, order_rules

_LONGEST = 8_000


def flagged(context: str, words: str) -> str:
    """The context of a draft, with the reason why its words look like an injection before it."""
    warning = injection_warning(words)
    return f"Flagged: it {warning}. {context}".strip() if warning else context


def injection_warning(text: str) -> str:
    """Why a text looks like an injection; empty if it does not: by a sure rule, else by trained weights."""
    text = text[:_LONGEST]
    readings = dict.fromkeys((lookalikes.fold_words(text), lookalikes.drop_unseen(text)))
    reasons = (reason for reading in readings for reason in _reasons(reading) if reason[0] != "?")
    return next(reasons, "") or order_chance.warning(text)


def _reasons(text: str) -> Iterator[str]:
    yield from order_rules.reasons(text)
    for sentence in intents.sentences(text):
        yield from sorted(intents.wanted(sentence))
