"""The parts of an instruction that triggers are read from: moment, unwanted, wanted, plain. Pure.

`Never use grep on JSON output, use jq` speaks against `use grep on JSON output` and for `use jq`; the
moment of `Run the linter before you push` is `you push`. Moment, unwanted and plain tell when it matters.
"""

import re
from typing import NamedTuple

from learnloop.learn.language import lexicon

WORD = re.compile(r"--?[a-z][\w-]*|[^\W\d_][\w]*(?:[./+-][\w]+)*", re.I)
CONTRACTED = re.compile(r"\b\w+n['’]t\b|['’](?:s|d|ll|re|ve|m)\b", re.I)
_MOST_WORDS = 6
_MOST = 1200
_CLAUSE = re.compile(
    r"[;,:!?]+(?=\s|$)|\.(?=\s|$)|\s[-–—]+\s|\n+|\b(?:but|because|since|so that|then|sondern|mais|sino)\b",
    re.I,
)
_MOMENT = re.compile(
    r"\b(?:before|after|when(?:ever)?|while|if|once|every time|each time|as soon as|unless|until|prior to"
    r"|bevor|wenn|nachdem|avant|apr[eè]s|quand|cuando|antes de)\b"
    r"|\b(?:with|on|in|for|at|to) (?:every|each|any)\b|\b(?:every|each) (?=\w+ (?:needs?|gets?|has|must"
    r"|should)\b)",
    re.I,
)
_NAMED_AFTER = re.compile(r"\b(?:name[ds]?|naming|call(?:ed)?)\b.*\bafter\b", re.I)
_ONLY = re.compile(r"\b(?:the )?only (?:changes?|things?)\b.*|.*\bonly\b.*\bchanged\b.*", re.I)
"""A condition that nothing else changed: what changed is no moment of its own."""
_AGAINST = re.compile(
    r"\b(?:never|not|nothing|stop|avoid|without|instead of|rather than|no longer|no more|quit|forbid\w*"
    r"|neither"
    r"|nor|no|statt|anstatt|nicht|keine?n?|nie|niemals|ohne|jamais|pas|sans|au lieu d[e']?|nunca|sin"
    r"|en vez de|en lugar de)(?![\w/-])|\b(?:do|ca|is|are|should|must|wo)n['’]?t\b",
    re.I,
)
_STILL_FOR = re.compile(
    r"\b(?:never|not|don['’]?t|do not) (?:ever )?(?:forget|skip|omit|leave out|miss|hesitate)\b"
    r"|\bnot (?:only|just)\b",
    re.I,
)
"""Denials that ask for something."""
_FOR = re.compile(
    r"\b(?:use|uses|using|is used|are used|prefer|preferred|switch(?:ed)? to|go with|stick (?:to|with)|adopt"
    r"|verwende[nt]?|benutze?|nutze?|nimm|utilise[rz]?|usar?|utiliza|instead)\b",
    re.I,
)
_CHOICE = re.compile(
    rf"^\W*(?:(?:please|always|only|just|instead|usually|you|we|i|should|must|want|need|would|like|agreed|decided|to|and|so|the|this|our"
    rf"|repo\w*|project|code\s?base"
    rf"|everything|everyone|it) )*{_FOR.pattern}|\b(?:is|are) (?:\w+ )?(?:used|preferred)\b|\binstead\W*$",
    re.I,
)
"""A clause that chooses something, not one that only says what a thing uses."""
_CONTRAST = re.compile(r"(?:instead|rather|statt|anstatt|au lieu|en vez|en lugar|not).*", re.I)
_OPEN_END = re.compile(
    r"(?:^|\b(?:about|to|of|is|are|am|was|were|be|do|does|did|should|must|can|could|will|would|may|but|and"
    r"|or|so|just))\s*$",
    re.I,
)
"""Words that a denial belongs to: `careful about not …` is no choice between two things."""
_OVER = re.compile(r"\b(?:prefer\w*\b.*?)(\bover|\bto)\b", re.I)


class Parts(NamedTuple):
    """An instruction's words by what they say; each part is a text."""

    moment: str
    """When it matters."""
    unwanted: str
    """What not to do."""
    wanted: str
    """What to do or use instead of it."""
    plain: str
    """The rest: an order or a fact without a contrast."""

    @property
    def when(self) -> str:
        """The words that may name the moment at which it matters."""
        return f"{self.moment}\n{self.unwanted}\n{self.plain}"


def parts(text: str) -> Parts:
    """The parts of an instruction, clause by clause."""
    lines: dict[str, list[str]] = {"moment": [], "unwanted": [], "wanted": [], "plain": []}
    for clause in filter(None, map(str.strip, _CLAUSE.split(text[:_MOST]))):
        act = clause
        if (at := _MOMENT.search(clause)) and not _NAMED_AFTER.search(clause):
            lines["moment"].append(_ONLY.sub("", clause[at.end() :]))
            act = clause[: at.start()]
        for name, words in _sides(act):
            lines[name].append(words)
    return Parts(**{name: "\n".join(texts) for name, texts in lines.items()})


def _sides(clause: str) -> list[tuple[str, str]]:
    """The words of a clause for and against: `use pnpm instead of npm` has both."""
    if over := _OVER.search(clause):
        return [("wanted", clause[: over.start(1)]), ("unwanted", clause[over.end(1) :])]
    denied = None if _STILL_FOR.search(clause) else _AGAINST.search(clause)
    if denied is None:
        return [("wanted" if _CHOICE.search(clause) else "plain", clause)]
    before, after = clause[: denied.start()], clause[denied.end() :]
    again = _AGAINST.search(after)  # `never push without asking`
    if again:
        after = after[: again.start()]
    is_contrast = _CONTRAST.fullmatch(denied[0]) is not None and not _OPEN_END.search(before)
    side = "wanted" if _FOR.search(before) or is_contrast else "plain"
    if not is_contrast and re.search(r"\b(?:is|are|be|was)\s*$", before):  # `secrets are never committed`
        return [("unwanted", clause)]
    return [(side, before), ("unwanted", after)]


_CONDUCT = re.compile(
    r"\b(?:ask|tell|show|warn|consult|check with|wait for|talk to|confirm with|report to|explain to|give"
    r"|answer|remind|walk|talk)"
    r" (?:me|us)\b|\b(?:my|our|your) (?:permission|approval|ok|go|confirmation|opinions?|answers?|repl(?:y"
    r"|ies)|responses?|summar\w+)\b"
    r"|\b(?:answers?|repl(?:y|ies)|respond) (?:me|in|are|is|should|must|always|briefly|short\w*)\b"
    r"|^\W*(?:always |never |please |only )*(?:answer|reply|respond)\b"
    r"|\bsummari[sz]e (?:what|your|the changes)|\bsummary (?:at|of (?:what|your|the changes))"
    r"|\b(?:apologi[sz]\w*|verbose|concise|terse|brief(?:ly)?|permission|approval|proactive\w*|guess\w*"
    r"|assum(?:e|ing)"
    r"|praise|flatter\w*|honest\w*|sycophan\w*|yes-man|think hard|excuses?|explain (?:your|why|what|how)"
    r"|antwort\w*|erkl[aä]r\w*|r[eé]pond\w*)\b"
    r"|\b(?:do|run|check|test|verify|fix|try|find) (?:it|that|this|things|everything) (?:yourself"
    r"|on your own)\b"
    r"|\b(?:don['’]?t|do not|never|stop) (?:\w+ing|start\w*|write code|change anything"
    r"|do anything)?\s*(?:until|before) (?:i|we)\b"
    r"|\b(?:in|to|from) (?:an?|the|your) (?:plan|summary|answer|reply|response|report)(?:['’]s)?\b"
    r"|\bcode yet\b|\bone (?:question|step|thing) at a time\b",
    re.I | re.M,
)


def is_conduct(text: str) -> bool:
    """Whether an instruction is about how to behave towards the person, which no file or command tells."""
    return _CONDUCT.search(text) is not None


def content_words(text: str, most: int = _MOST_WORDS) -> tuple[str, ...]:
    """The words of a text that carry its subject, in lower case, each once."""
    words = (word.lower().strip("._/") for word in WORD.findall(CONTRACTED.sub(" ", text)))
    content = dict.fromkeys(word for word in words if len(word) > 1 and word not in lexicon.NO_KEYWORDS)
    return tuple(content)[:most]
