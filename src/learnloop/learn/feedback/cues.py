"""Cues: patterns that decide the category of a prompt, each with a name that a person can read.

Patterns are verbose regular expressions: a space in them means nothing, `\\s` is a space.
"""

import re
from functools import cache
from typing import NamedTuple

LEAD = (
    r"(?:(?:please|pl[sz]|also|and|so|but|oh|ok|okay|well|hmm*|dude|hey|now|again|seriously|btw|by\sthe\sway"
    r"|for\s(?:the\slove\sof\sgod|god's\ssake|heaven's\ssake)|ffs|(?:one|small|another|last)\s(?:small\s)?thing)[,.:\s]+)*"
)


class Cue(NamedTuple):
    """A pattern and its confidence. Its group `verb` must match what can be the base form of a verb."""

    name: str
    pattern: str
    confidence: float
    hints: tuple[str, ...] = ()
    """Every matching text contains one of these. They are tested first, because that is cheap."""

    def search(self, low: str) -> re.Match[str] | None:
        """Search a text in lower case for the pattern: that is faster than to ignore case."""
        if self.hints and not any(hint in low for hint in self.hints):
            return None
        return _compiled(self.pattern).search(low)


@cache  # a text without a hint of a cue needs no pattern of it
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.X)


def cue(name: str, confidence: float, hints: str, pattern: str) -> Cue:
    """A cue; hints are separated by bars."""
    return Cue(name, pattern, confidence, tuple(hints.split("|")) if hints else ())


TASK_ABOUT_WORDS = re.compile(
    r"""^(?:please\s)?(?:write|add|create|find|make(?!\s(?:sure|(?:it\s)?a\s(?:habit|rule|point)))|implement|translate|explain|rename|show|list|update|fix|document
    |look|check|search|build)\b(?!.*\b(?:from\snow\son|going\sforward|in\s(?:the\s)?future|every\stime|whenever)\b)""",
    re.I | re.X,
)
"""A task that only mentions such words: `write a lint rule that says never use var`."""
ASKS_WHETHER = re.compile(
    r"\b(?:whether|if|where|why|how|which|places|cases|(?<!sure\s)that)\s(?:we|you|they|it)\s(?:always|never|usually)\b",
    re.I,
)
"""A question about such words: `check whether we always close it`."""
OF_A_THING = re.compile(r"^(?:it|this|that)\s(?:must|should|can|may)\s(?:always|never)\b", re.I)
"""A requirement of what is being built: `it should never expire`."""
POLITE_ORDER = re.compile(
    r"^(?:can|could|would|will)\syou\s(?:please\s)?(?:always|never|stop|avoid|from\snow\son)\b", re.I | re.X
)
"""A question that is an order."""
NO_RULES = (TASK_ABOUT_WORDS, ASKS_WHETHER, OF_A_THING)
"""Sentences that hold words of standing rules, but are none."""

REJECTION: tuple[Cue, ...] = (
    cue("undo", 0.85, "",
        r"""^(?:(?:no|nope|ok|okay|please|actually|hey|hmm+|wait|let's|can\syou|could\syou)[,.!\s]+)*
        (?:undo|revert|roll\s(?:(?:it|that|this)\s)?back|back\sout|put\s(?:it|that|this|them|the\sold\s\w+)\sback
        |restore\s(?:it|that|this|what|the\s[\w\s]{1,30}you\s)|discard\s(?:it|that|this|those|these|your)|throw\s(?:it|that|this)\saway
        |take\s(?:it|that|this)\sout|remove\swhat\syou|go\sback\sto\sthe\s(?:old|previous|earlier))\b
        (?!\s(?:button|feature|stack|command|function|commit\s[a-f\d]{6}))
        |\bplease\sundo\b|\bundo\swhat\syou\b|^(?:stopp?|nein|halt)[,!.]?\s.*\br[üu]ckg[äa]ngig\b|^(?:nein,?\s)?lass\sdas\b
        |^(?:non,?\s)?annule\b|^(?:no,?\s)?d[ée]ja(?:lo|la)\b"""),
    cue("halt", 0.85, "",
        r"""^(?:(?:no|nope|ok|okay|please|wait|hey)[,.!\s]+)*(?:(?:stop[,!.\s]*)+(?:here|right\sthere)?|halt|hold\s(?:off|on)|cancel\s(?:that|this|it)|abort
        |never\s?mind|forget\s(?:it|(?:about\s)?(?:that|it|this))|scrap\s(?:that|it|this)(?:\s\w+)?|leave\s(?:it|that)(?:\sas\sit\sis)?)$
        |^(?:stop|wait|cancel|abort|no)[,.!]?\s(?:please\s)?(?:don't|do\snot)\s(?:do|run|push|commit|delete|touch|merge|deploy)\s?
        (?:that|this|it|yet|any\sof\s(?:that|it))?$
        |^(?:never\s?mind|cancel|abort|halt|scrap\sthat|forget\s(?:it|that))[,.!]\s|^(?:please\s)?forget\sabout\s(?:that|it|this|the)\b|^(?:please\s)?(?:stop|cancel|abort)[,.!]+\s(?:i|let\sme|we)\b
        |^(?:please\s)?(?:cancel|abort)\s(?:that|this)\s(?:request|job|run|task|change|command|call)$"""),
    cue("not wanted", 0.75, "",
        r"""^(?:(?:no|nope|nah|actually|hmm*|sorry)[,.!\s]+)*(?:i\s)?(?:don't|do\snot|didn't)\s(?:want|like|ask\sfor)\s
        (?:you\sto|to|that|this|it|the|any|a)\b"""),
    cue("rather not", 0.75, "rather not|let's not",
        r"^(?:no[,.]\s)?(?:i'd\srather\snot|let's\snot\s(?:do|go)\b)\s(?!use\b)"),
    cue("skip it", 0.82, "",
        r"^(?:nah|no+|nope)[,.!\s]+(?:we'll\sskip|skip|don't\slike|drop\sit|abandon|i'm\sundoing|just\stell)\b"),
    cue("go back", 0.7, "",
        r"""^(?:don't|do\snot)\s(?:switch|change|touch|delete|remove|commit|push|do|install)\b(?!\s(?:any(?:thing)?|code)\b[^.]*\b(?:just|yet|until|tell|only)\b)
        (?!.*(?:\binstead\b|,\s(?:use|just|only|put|write|add|make|create)\b))"""),
)  # fmt: skip

MAY_GO_ON = frozenset(("not wanted", "go back"))
"""Refusals that a correction may follow: `don't push to main, open a PR`."""

OPENER = re.compile(
    r"""^(?:(?:uh+m?|umm*|hmm*|ok(?:ay)?|well|so|ah|dude|yeah\sbut|look)[,.…\s]+)*
    (?:no+(?:[,\s]+no+)*(?:\s(?:man|dude))?(?:[,.!…]+|$)(?!\s*(?:problem|worries|rush|hurry|stress|pressure|need|nothing|none|thanks|thank|objections?|idea|that's\s(?:all|fine|ok|okay|it|not\sneeded)|that\sis\s(?:all|fine)
    |we\s(?:have|haven't)\s(?:no|any)|go\s(?:on|ahead|with|for)|i\s(?:meant|mean)\b|i'm\s(?:good|fine)|it's\s(?:fine|ok|okay|good)(?!.*\bbut\b)|not\s(?:yet|now|really|needed)|both\b|neither\b))\s*\S
    |no\s(?:i(?!\smeant|\smean\b)|you|it|that|this|we|the|use|man|don't|on)\b|(?:nope|nah)\b(?![,.!\s]+(?:that's\s(?:all|fine|it)|nothing|not\s(?:yet|now|that\si)|all\sgood|go\son|i'm\sgood))|wrong\b|incorrect\b|not\strue\b
    |not\s(?:quite|right|correct)\b|false[,.])""",
    re.I | re.X,
)

BARE_OPENER = re.compile(r"(?:no+[\s,!.]*)+$|(?:nope|nah|wrong|incorrect|nein|non)$", re.I)
"""A sentence that is nothing but a contradiction."""

CLARIFICATION: tuple[Cue, ...] = (
    cue("I meant", 0.78, "",
        r"""^(?:(?:no|so|sorry|yes|well|ah|oh)[,.…\s]+)*(?:(?:what\s)?i\s(?:meant|mean\b(?!\sit)
        |was\s(?:talking|referring|trying))|by\s.{2,60}\si\smean\b|to\s(?:be\sclear|clarify)
        |let\sme\s(?:clarify|rephrase|explain)|i'm\stalking\sabout)(?!\sto\sask)"""),
    cue("to be clear", 0.7, "", r"\b(?:if\sit\swasn't\sclear|for\sclarity|in\sother\swords)\b"),
    cue("what I want", 0.7, "what i|wasn't|badly",
        r"""^(?:(?:no|so|well|ok)[,.\s]+)*what\si\s(?:really\s|actually\s)?(?:want|need|wanted|needed|asked\sfor)\s(?:is|was)\b
        |^(?:maybe|perhaps|sorry)[,\s]+i\s(?:wasn't\sclear|explained\sit\sbadly)"""),
)  # fmt: skip
PRAISE: tuple[Cue, ...] = (
    cue("approval", 0.75, "",
        r"""^(?:(?:wow|oh|ah|ok|okay|yes|yeah|yep)[,!.\s]+)*
        (?:perfect|excellent|amazing|awesome|fantastic|brilliant|beautiful|(?:i\s)?love\s(?:it|this|that|how)
        |great\s(?:work|job|stuff)|nice(?:ly)?(?:\s(?:work|job|one|done))|well\sdone|good\s(?:job|work|stuff)|exactly(?:\s(?:what|like\sthat))?|lgtm|ship\sit
        |(?:danke|merci|gracias)[,!.]+\s(?:super|perfekt|parfait|perfecto|genial)|super\sgemacht|perfekt|parfait|perfecto
        |(?:that|this|it)(?:'s|\sis)?\s(?:works?(?:\s(?:great|perfectly|now|well))|worked(?!\sbefore)|perfect|great|awesome|exactly|much\sbetter)
        |(?:the|that|this|your)\s[\w\s]{2,30}\s(?:is|was)\s(?:(?:really|very|so|super)\s)*(?:clear|great|perfect|helpful|excellent|spot\son)
        |that\s(?:fixed|did)\s(?:it|the\strick)|all\sgreen\snow|great\scatch
        |(?:works|worked)\s(?:great|perfectly|now|like\sa\scharm)|very\s(?:nice|good|cool)|so\sgood
        |(?:that|this|it)?\s?looks\s(?:great|good|perfect|amazing))\b
        (?!\s*[,.!:-]*\s*(?:now|next|please|can\syou|but|let's|could\syou|except|and\s(?:now|then)|one\smore|do)\b)
        (?!.*\b(?:problem|only|except|commit|push|merge|but|however|just)\b)"""),
)  # fmt: skip
GOES_ON = re.compile(
    r"(?:now|next|then|let's|can|could|please|and\s|also|but|however|one|the\sonly|only)\b|.*\b(?:problem|except|but)\b",
    re.I,
)
"""A sentence after approval that makes the approval an introduction."""
THANKS = re.compile(
    r"""^(?:(?:ok|okay|great|perfect|cool|nice|alright)[,!.\s]+)*
    (?:thanks|thank\syou|thx|danke(?:\ssch[öo]n)?|merci|gracias)(?:\s(?:so|very)\smuch|\sa\slot|\sbeaucoup)?
    (?:\sfor\s(?:that|this|it|the\s\w+|your\s\w+))?(?:[,!.]*\s(?:great|perfect|nice|that\sworks|works|looks\sgood|all\sgood))?$""",
    re.I | re.X,
)
"""Nothing but thanks, warm ones."""
WISH: tuple[Cue, ...] = (
    cue("manner", 0.75, "be ",
        rf"^{LEAD}(?:try\sto\s)?be\s(?:(?:a\s(?:bit|little)\s)?(?:more|less)|as)\s[a-z]+\s(?:in|with|about|when)\s"),
    cue("manner", 0.7, "be ",
        rf"^{LEAD}be\s(?:more\s|less\s|very\s)?(?:consistent|careful|precise|brief|concise|specific|honest|patient|explicit|thorough|critical)\b"),
    cue("manner", 0.68, "treat|consider", rf"^{LEAD}(?:treat|regard|consider)\s(?:all\s)?[a-z]+s\sas\s"),
    cue("requirement", 0.7, "you ", r"^you\s(?:must|have\sto|need\sto)\s(?!be\b|have\b|know\b)[a-z]+\s"),
    cue("measure", 0.72, "keep",
        rf"""^{LEAD}(?:try\sto\s)?keep\s(?:(?:all|your|the|our)\s)?[a-z]+s(?:\s[a-z]+)?\s
        (?:under|below|within|short|small|brief|concise|simple|minimal|to\sa\sminimum|in\ssync|up\sto\sdate)\b"""),
)  # fmt: skip
"""Wishes about the work that do not say from when on."""
ENHANCEMENT: tuple[Cue, ...] = (
    cue("also", 0.6, "",
        r"""^(?:(?:great|nice|good|perfect|ok|cool)[,.!]+\s(?:can|could)\s(?:you|we)\salso\b|can\s(?:you|we)\salso\b
        |(?:and\s)?also\s(?:add|show|include|handle|support|display|cover|write|create|make|let's)\b
        |(?:it|that)\swould\s(?:also\s)?be\s(?:nice|great|cool|good)\b)"""),
)  # fmt: skip
