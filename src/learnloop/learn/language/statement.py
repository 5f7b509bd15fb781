"""Turns a person's order or remark into one present-tense sentence, by rules."""

import itertools
import re
from collections.abc import Callable, Iterable

from learnloop.learn.language import clauses, contrasts, grammar, omissions, orders, remarks, words

LONGEST = 240
_SHORTEST = 8

Rule = Callable[[str], str | None]

SURE: tuple[Rule, ...] = (
    remarks.repeated_order, orders.swap, orders.standing, orders.only, remarks.whenever,
    remarks.liked, orders.ours,
)  # fmt: skip
LOOSE: tuple[Rule, ...] = (
    orders.ruled_out, orders.avoided, orders.needless, orders.allowed, orders.use, orders.should_have,
    remarks.corrected_fact, remarks.rather, remarks.named, remarks.advised, orders.contrasted, orders.pair,
    remarks.declared,
)  # fmt: skip


def make(text: str, *, orders_too: bool = False) -> str | None:
    """One sentence that applies from now on; None if no rule is sure and a person has to word it.

    With `orders_too` any order counts as a lasting one, as for an order that was given twice.
    """
    own = words.own_words(text)
    sentences = [sentence.text for sentence in own.sentences if not sentence.asks]
    for first, second in itertools.pairwise(sentences):
        statement = contrasts.over_two(clauses.strip_lead_in(first), clauses.strip_lead_in(second))
        if statement:
            return _finished(statement, own)
    for rules in (SURE, LOOSE, (orders.ordered,) if orders_too else ()):
        for sentence in sentences if rules else ():
            statement = from_sentence(sentence, rules)
            if statement:
                return _finished(statement, own)
    return None


def from_sentence(text: str, rules: Iterable[Rule] | None = None) -> str | None:
    """The statement made from one sentence, by `rules` or by all; tokens for code stay in it."""
    chosen = (*SURE, *LOOSE) if rules is None else tuple(rules)
    if clauses.is_for_later_work(text):
        chosen = (*chosen, orders.ordered, orders.none_of, remarks.stated)
    if orders.ordered in chosen and (omitted := omissions.omitted_order(text)):
        return contrasts.order(omitted)
    whole = clauses.strip_lead_in(text)
    swapped = orders.swap(whole)
    if swapped and orders.swap in chosen:
        return swapped
    if swapped is None and contrasts.is_joined(whole):
        return contrasts.joined(whole)
    if swapped is None and (statement := _with_reason(whole)):
        return statement
    for clause in clauses.split_clauses(text):
        for rule in chosen:
            statement = rule(clause)
            if statement:
                return statement
    return None


_SO = re.compile(r"^(?P<why>[^;]+?), so (?P<order>(?:please )?(?:don't|do not|never|always|use) .+)$", re.I)


def _with_reason(whole: str) -> str | None:
    """`Our CI runs on 3.11, so newer syntax is not used`: the reason stays with its order."""
    match = _SO.match(whole)
    why = remarks.declared(match["why"]) if match else None
    order = contrasts.order(clauses.strip_lead_in(match["order"])) if match else None
    return f"{why}, so {order}" if why and order else None


def _finished(statement: str, own: words.OwnWords) -> str | None:
    whole = grammar.sentence(own.restore(statement))
    return whole if _SHORTEST <= len(whole) <= LONGEST else None


def names_omission(text: str) -> bool:
    """Whether a sentence points out a lasting omission that a statement can be made of."""
    order = omissions.omitted_order(text)
    return order is not None and omissions.is_lasting(order) and contrasts.order(order) is not None


_SHORT = 14
_THIS_TIME = re.compile(r"\b(?:for (?:this|that|now|the)|this time|now|first|option)\b", re.I)


def orders_instead(text: str) -> bool:
    """Whether a sentence only says what to do instead of what, and for more than this once."""
    whole = clauses.strip_lead_in(text)
    if contrasts.is_joined(whole):
        return True
    if len(whole.split()) > _SHORT or _THIS_TIME.search(whole):
        return False
    is_choice = (orders.swap(whole) or orders.pair(whole)) is not None
    return is_choice or orders.is_lasting(whole)


_CONTRAST = re.compile(
    r"(?:,| and) (?:and )?not\b|\binstead\b|\bnever\b|\balways\b|\bmust\b|\bhere$|\bin this (?:repo"
    r"|project|code ?base)",
    re.I,
)
_CERTAIN: tuple[Rule, ...] = tuple(rule for rule in (*SURE, *LOOSE) if rule is not remarks.declared)


def is_rule(text: str) -> bool:
    """Whether a sentence says what to do or how things must be, not merely how they are."""
    if from_sentence(text, _CERTAIN):
        return True
    declared = from_sentence(text, (remarks.declared,))
    if not declared:
        return False
    is_value = len(text.split()) <= 9 and re.search(r"\d|`|\ue000|--\w|\w[._/]\w", text) is not None
    return bool(_CONTRAST.search(declared) or remarks.is_obligation(clauses.strip_lead_in(text)) or is_value)
