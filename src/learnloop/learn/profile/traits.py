"""Remarks about how a person wants to work with agents, by trait and side. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from learnloop.learn.language import words
from learnloop.models.preferences import TraitName

QUOTE = 300


class TraitSides(NamedTuple):
    """The two opposite values of a trait, and the value between them, if there is one."""

    one: str
    other: str
    between: str = "unknown"


TRAITS: dict[TraitName, TraitSides] = {
    "verbosity": TraitSides("concise", "detailed"),
    "autonomy": TraitSides("ask_first", "just_do_it", "balanced"),
    "explanation_depth": TraitSides("minimal", "thorough", "moderate"),
}
STATEMENTS: dict[TraitName, dict[str, str]] = {
    "verbosity": {
        "concise": "This user wants short answers.",
        "detailed": "This user wants detailed answers.",
    },
    "autonomy": {
        "ask_first": "This user wants to be asked before changes are made.",
        "just_do_it": "This user wants the work done without being asked for confirmation.",
        "balanced": "This user wants small changes done without asking, and to be asked before large ones.",
    },
    "explanation_depth": {
        "minimal": "This user wants changes without explanations.",
        "moderate": "This user wants changes explained in a few sentences.",
        "thorough": "This user wants changes explained thoroughly.",
    },
}
"""Sentences that agents get for a confirmed value."""

_ANSWERS = r"(?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|explanations?|messages)"
_CONSENT = r"(?:ok|okay|approval|permission|confirmation|consent|go-?ahead)"
_FORMS: dict[tuple[TraitName, str], re.Pattern[str]] = {
    ("verbosity", "concise"): re.compile(
        r"\b(?:too|so|overly|very|less) (?:long|verbose|wordy|chatty)\b"
        r"|\btoo much (?:text|detail|information|prose|explanation)\b"
        rf"|\b(?:be|more) (?:more |very )?(?:concise|brief|terse)\b|\bshort(?:er)? {_ANSWERS}\b"
        rf"|\bkeep (?:it|this|them|(?:your |the )?{_ANSWERS}) (?:short|brief|concise)\b"
    ),
    ("verbosity", "detailed"): re.compile(
        r"\bmore (?:details?|information|explanations?|context)\b|\btoo (?:brief|short|terse|vague)\b"
        r"|\bbe more (?:detailed|thorough|specific)\b"
    ),
    ("autonomy", "ask_first"): re.compile(
        r"\bask me (?:first|before)\b|\bcheck with me\b|\bdo(?:n't| not) assume\b"
        r"|(?:^|[,;.] *|\b(?:please|always|and|just) )(?:ask|confirm) (?:first|before|with me)\b"
        rf"|\b(?:get|wait for|needs?) my {_CONSENT}\b"
        r"|\b(?:do(?:n't| not)|never|stop|you(?! (?:can|may|could|should|are)\b)|why did you)\b[^.;]*"
        rf"\bwithout (?:asking|checking|(?:my|any) {_CONSENT})"
        r"|\b(?:do(?:n't| not)|never)\b[^.;]*\buntil i (?:say|approve|confirm|agree|ok)\b"
    ),
    ("autonomy", "just_do_it"): re.compile(
        r"\bjust (?:do|make|fix|apply|run|finish) (?:it|that|this|them|the (?:change|fix|edit)s?)\b"
        r"|\b(?:stop|quit) asking\b"
        r"|\b(?:do(?:n't| not)|never|no need to) (?:keep )?ask(?:ing)?\b(?! for (?:a|the)\b)"
        r"|(?:^|\b(?:it|that|this|them|ahead|on|proceed|continue|you can\b[^.;]*) )"
        rf"without (?:asking|my {_CONSENT})"
    ),
    ("explanation_depth", "minimal"): re.compile(
        r"\b(?:don't|do not|stop|no need to|never) (?:always )?explain(?:ing)?\b"
        r"|\b(?:no|skip (?:the|all|your)|without|fewer|less) explanations?\b(?!\s+(?:is|was|given))"
        r"|\b(?:just|only) (?:give me |show me )?the (?:code|diff|answer|command)\b"
    ),
    ("explanation_depth", "thorough"): re.compile(
        r"\bexplain (?:more|your(?:self)?|what you|why you|each|every|better)\b|\bteach me\b"
        r"|\bexplain (?:it |this |that )?(?:in (?:more )?detail|step by step)\b|\btell me why you\b"
        r"|\b(?:more|better|longer|thorough) explanations?\b|\b(?:talk|take|lead) me through\b"
        r"|\bwalk me through (?:what you|your|the changes?)\b"
        r"|\byou (?:didn't|did not|never) explain\b|\b(?:help|let) me understand\b"
        r"|\b(?:say|tell me|describe) (?:why|what you (?:did|changed?|are doing))\b"
    ),
}  # fmt: skip
_CODE = re.compile(
    r"\b(?:functions?|methods?|class(?:es)?|files?|lines?|variables?|names?|quer(?:y|ies)|titles?|labels?|strings?"
    r"|urls?|paths?|commits?|tests?|builds?|timeouts?|delays?|requests?|passwords?|lists?|columns?|fields?|pages?"
    r"|errors?|logs?|logging|tables?|docstrings?|readme|docs?|comments?|buttons?|tooltips?|dialogs?|forms?|cli|api"
    r"|takes?|took|taking|wait(?:s|ed|ing)?|loading|modules?|components?|users?|app|tokens?|keys?|prs?)\b",
    re.I,
)
"""A remark with one of these words is about the work, not about how the agent talks."""
_OF_TALK = frozenset({"verbosity", "explanation_depth"})


class TraitRemark(NamedTuple):
    """A remark for one side of a trait."""

    trait: TraitName
    side: str
    quote: str


def find_remarks(text: str) -> list[TraitRemark]:
    """A prompt's remarks about the three traits, each side at most once; code and quotes are ignored."""
    latest_first = reversed(list(_all_remarks(text)))
    return list({(remark.trait, remark.side): remark for remark in latest_first}.values())[::-1]


def _all_remarks(text: str) -> Iterator[TraitRemark]:
    own = words.own_words(text)
    for sentence in own.sentences:
        plain = sentence.text.replace("’", "'")
        if sentence.asks and not re.match(r"(?:can|could|would|will|why) ", plain, re.I):
            continue
        low = plain.lower()
        sides = [key for key, form in _FORMS.items() if form.search(low)]
        is_work = bool(_CODE.search(plain))
        for trait, side in sides:
            if is_work and trait in _OF_TALK:
                continue
            if side == "just_do_it" and (trait, "ask_first") in sides:
                continue  # `don't do it without asking` holds both forms and means this one
            yield TraitRemark(trait, side, own.restore(sentence.text)[:QUOTE])
