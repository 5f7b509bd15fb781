"""From a person's order or remark to one present-tense sentence, by rules; None where no rule is sure."""

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
    """One sentence that holds from now on; None where a person has to find the words.

    With `orders_too` any order is taken for one that stands: said twice, say.
    """
    own = words.own_words(text)
    told = [sentence.text for sentence in own.sentences if not sentence.asks]
    for first, second in itertools.pairwise(told):
        made = contrasts.over_two(clauses.strip_lead_in(first), clauses.strip_lead_in(second))
        if made:
            return _finished(made, own)
    for rules in (SURE, LOOSE, (orders.ordered,) if orders_too else ()):
        for sentence in told if rules else ():
            made = from_sentence(sentence, rules)
            if made:
                return _finished(made, own)
    return None


def from_sentence(text: str, rules: Iterable[Rule] | None = None) -> str | None:
    """The statement that one sentence makes; held tokens stay in it."""
    chosen = (*SURE, *LOOSE) if rules is None else tuple(rules)
    if clauses.is_for_later_work(text):
        chosen = (*chosen, orders.ordered, orders.none_of, remarks.stated)
    if orders.ordered in chosen and (left_out := omissions.omitted_order(text)):
        return contrasts.order(left_out)
    whole = clauses.strip_lead_in(text)
    swapped = orders.swap(whole)
    if swapped and orders.swap in chosen:
        return swapped
    if swapped is None and contrasts.is_joined(whole):
        return contrasts.joined(whole)
    if swapped is None and (made := _with_reason(whole)):
        return made
    for clause in clauses.split_clauses(text):
        for rule in chosen:
            made = rule(clause)
            if made:
                return made
    return None


_SO = re.compile(r"^(?P<why>[^;]+?), so (?P<order>(?:please )?(?:don't|do not|never|always|use) .+)$", re.I)


def _with_reason(whole: str) -> str | None:
    """`Our CI runs on 3.11, so newer syntax is not used`: a reason that holds stays with its order."""
    match = _SO.match(whole)
    why = remarks.declared(match["why"]) if match else None
    order = contrasts.order(clauses.strip_lead_in(match["order"])) if match else None
    return f"{why}, so {order}" if why and order else None


def _finished(made: str, own: words.OwnWords) -> str | None:
    whole = grammar.sentence(own.restore(made))
    return whole if _SHORTEST <= len(whole) <= LONGEST else None


def names_omission(text: str) -> bool:
    """Whether a sentence points out something missing that matters again, in words that make a statement."""
    wanted = omissions.omitted_order(text)
    return wanted is not None and omissions.is_lasting(wanted) and contrasts.order(wanted) is not None


_SHORT = 14
_THIS_TIME = re.compile(r"\b(?:for (?:this|that|now|the)|this time|now|first|option)\b", re.I)


def orders_instead(text: str) -> bool:
    """Whether a sentence says nothing but what to do instead of what, for more than this once."""
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
    """Whether a sentence says what is to be done or how things have to be, not merely how they are."""
    if from_sentence(text, _CERTAIN):
        return True
    made = from_sentence(text, (remarks.declared,))
    if not made:
        return False
    is_value = len(text.split()) <= 9 and re.search(r"\d|`|\ue000|--\w|\w[._/]\w", text) is not None
    return bool(_CONTRAST.search(made) or remarks.is_obligation(clauses.strip_lead_in(text)) or is_value)
