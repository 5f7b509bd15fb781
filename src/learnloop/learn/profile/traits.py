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

_ANSWERS = r"(?:answers?|replies|reply|responses?|summar(?:y|ies)|explanations?|messages|write-?ups?|output)"
_CONCISE = rf"""
    \b(?:too|so|way\ too|overly|very|less)\ (?:long|verbose|wordy|long-winded|chatty|talkative)\b
  | \btoo\ much\ (?:text|detail|information|info|prose|talk|explanation)\b
  | \bbe\ (?:more\ |very\ )?(?:concise|brief|succinct|terse)\b | \bmore\ (?:concise|succinct)\b
  | \bshort(?:er)?\ {_ANSWERS}\b
  | \bkeep\ (?:it|this|them|that|(?:your|the)?\ ?{_ANSWERS})\ (?:short|brief|concise)\b
  | \b(?:fewer|less)\ (?:words|text|prose|verbosity)\b
  | \b(?:cut|skip|drop|stop)\ the\ (?:long\ )?{_ANSWERS}\b
  | \b(?:stop|quit)\ (?:writing|giving\ me|with)\ (?:such\ |these\ |the\ )?(?:long|huge|endless)\b
"""
_DETAILED = rf"""
    \bmore\ (?:details?|info|information|explanations?|context)\b | \btoo\ (?:brief|short|terse|vague)\b
  | \bbe\ more\ (?:detailed|thorough|verbose|specific)\b | \b(?:go|get)\ into\ (?:more\ )?detail\b
  | \b(?:longer|more\ detailed|more\ thorough)\ {_ANSWERS}\b | \belaborate(?:\ more|\ on\ (?:it|that|this))\b
"""
_PERMISSION = r"(?:ok|okay|approval|permission|confirmation|consent|go-?ahead|say-?so)"
_ASK_FIRST = rf"""
    \bask\ me\ (?:first|before)\b
  | (?:^|[,;.]\ *|\b(?:please|always|and|you\ (?:should|must)|just)\ )ask\ (?:first|before)\b
  | \bcheck\ with\ me\b | \bdo(?:n't|\ not)\ assume\b | \brun\ (?:it|that|this|the\ plan)\ by\ me\b
  | (?:^|[,;.]\ *|\b(?:please|always|and)\ )confirm\ (?:with\ me|first|before)\b
  | \b(?:get|wait\ for|need|needs)\ my\ {_PERMISSION}\b
  | \b(?:do(?:n't|\ not)|never|stop|you(?!\ (?:can|may|could|should|are)\b)|why\ did\ you)\b[^.;]*
    \bwithout\ (?:asking|checking|(?:my|any)\ {_PERMISSION})
  | \b(?:do(?:n't|\ not)|never)\b[^.;]*\buntil\ i\ (?:say|approve|confirm|agree|ok)\b
  | \byou\ (?:should\ have|could\ have|didn't|did\ not|never)\ ask(?:ed)?(?:\ me)?\b
"""
_JUST_DO_IT = rf"""
    \bjust\ (?:do|make|fix|apply|run|finish)\ (?:it|that|this|them|so|the\ (?:change|fix|edit|work)s?)\b
  | \b(?:stop|quit)\ asking\b
  | \b(?:do(?:n't|\ not)|never)\ (?:keep\ )?ask(?:ing)?\b(?!\ for\ (?:a|the)\b)
  | \b(?:no\ need|don't\ need|do\ not\ need|don't\ have)\ (?:for\ you\ )?to\ (?:ask|confirm|check\ with\ me)\b
  | (?:^|\b(?:it|that|this|them|ahead|on|proceed|continue)\ )
    without\ (?:asking|confirm(?:ing|ation)|my\ {_PERMISSION})
  | \byou\ (?:can|may|could|should)\b[^.;]*\bwithout\ (?:asking|checking|confirmation|my\ {_PERMISSION})
  | \byou\ (?:don't|do\ not)\ need\ (?:my\ )?{_PERMISSION}\b | \byou\ ask\ too\ (?:much|many|often)
"""
_MINIMAL = r"""
    \b(?:don't|do\ not|stop|no\ need\ to|quit|never)\ (?:always\ )?explain(?:ing)?\b | \bexplain\ less\b
  | \b(?:no|skip\ (?:the|all|your)|without|drop\ the|fewer|less)\ explanations?\b(?!\s+(?:is|was|given))
  | \b(?:i\ )?(?:don't|do\ not)\ need\ (?:an?|any|the|your|all\ (?:the|these|those))?\ ?explanations?\b
  | \b(?:just|only)\ (?:give\ me\ |show\ me\ |send\ )?the\ (?:code|diff|answer|command)\b
  | \b(?:spare|save)\ me\ the\ (?:details|theory|reasons|reasoning|lecture|commentary|explanations?)\b
  | \b(?:no|stop|skip|drop|without|less|enough)\ (?:the\ |your\ |with\ the\ |any\ |of\ the\ )?
    (?:lectur(?:es?|ing)|commentary|narrati(?:on|ng)|theory|justify(?:ing)?|justifications?|preach(?:ing)?)\b
  | \b(?:don't|do\ not|no\ need\ to|never)\ (?:always\ )?
    (?:justify|narrate|lecture\ me|comment\ on\ (?:what|everything|every)
      |(?:tell|teach)\ me\ (?:how|what|why)\ (?:it|you|things?|that|this|i)\b)
  | \bi\ can\ read\ (?:the\ |a\ )?(?:code|diffs?)\b
  | \bi\ know\ (?:how|what|why)\ (?:it|that|this)\ (?:works?|does|is)\b
  | \bless\ talk(?:ing)?\b
"""
_THOROUGH = r"""
    \bexplain\ (?:more|your(?:self)?|what\ you|why\ you|each|every|thoroughly|better)\b
  | \bexplain\ (?:it\ |this\ |that\ )?(?:in\ (?:more\ )?detail|step\ by\ step)\b
  | \bmore\ explanations?\b | \bwalk\ me\ through\ (?:what\ you|your|the\ changes?)\b
  | \byou\ (?:didn't|did\ not|never|don't|do\ not)\ (?:even\ )?explain\b | \btell\ me\ why\ you\b
  | \b(?:better|thorough|longer|deeper|detailed)\ explanations?\b
  | \bi(?:\ want|\ need|\ would\ like|'d\ like)\ to\ (?:understand|know)
    \ (?:what|why|how)\ (?:you|it|th[ia][st])\b
  | \b(?:help|let)\ me\ understand\b | \b(?:talk|take|lead)\ me\ through\b
  | \b(?:show|give|tell|share|include)\ (?:me\ )?(?:your|the)
    \ (?:reason(?:ing|s)|rationale|thinking|thought\ process)\b
  | \b(?:say|tell\ me|write|describe|mention)\ (?:why|what\ you\ (?:did|changed?|do|are\ doing))\b
  | \bteach\ me\b | \bi'?m\ (?:still\ )?(?:learning|new\ to)\b
"""

_FORMS: dict[tuple[TraitName, str], re.Pattern[str]] = {
    ("verbosity", "concise"): re.compile(_CONCISE, re.X),
    ("verbosity", "detailed"): re.compile(_DETAILED, re.X),
    ("autonomy", "ask_first"): re.compile(_ASK_FIRST, re.X),
    ("autonomy", "just_do_it"): re.compile(_JUST_DO_IT, re.X),
    ("explanation_depth", "minimal"): re.compile(_MINIMAL, re.X),
    ("explanation_depth", "thorough"): re.compile(_THOROUGH, re.X),
}
_HINTS = (
    "too ", "ask", "explain", "explanation", "concise", "brief", "short", "verbose", "wordy", "long",
    "detail", "more ", "just ", "confirm", "check with", "assume", "without", "permission", "approval",
    "until i", "elaborate", "fewer", "succinct", "terse", "walk me", "by me", "only ", "why you", "my ok",
    "stop", "less", "chatty", "understand", "reason", "rationale", "thinking", "thought process",
    "me through", "teach", "tell me", "say why", "learning", "new to", "what you", "lectur", "commentary",
    "narrat", "theory", "justif", "spare me", "save me", "i know", "can read",
)  # fmt: skip
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
    low = text.lower()
    if not any(hint in low for hint in _HINTS):
        return []
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
