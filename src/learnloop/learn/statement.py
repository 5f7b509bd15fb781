"""From a person's order or remark to one present-tense sentence, by rules; None where no rule is sure."""

import re
from collections.abc import Callable

from learnloop.learn import grammar, verbs, words

LONGEST = 240
_SHORTEST = 8

_OPENER = re.compile(
    r"""^(?:
      (?:uh+|um+|hm+|oh|ah|ugh|ok(?:ay)?|well|so|and|but|also|then|yeah|yep|yes|hey|dude|man|look|listen|sorry|please|pls|just|wait|close
        |thanks|thank\syou|great|good|nice|perfect|cool|alright|right|fine|again|seriously|honestly|remember|actually|btw|by\sthe\sway
        |no+|nope|nah|not\squite|wrong|incorrect|stop(?!\s+[a-z]+ing\b)|not\sreally|almost|though)\b[\s,:;.!…-]*(?=\S)
      | (?:that|this|it)(?:'s|\sis|\swas|\slooks|\sseems)?\s(?:not\s(?:right|correct|true|what\s\S+\s\S+)|wrong|incorrect|false|backwards)\b[\s,:;.!-]*
      | (?:i|as\si)\s(?:already\s)?(?:said|told\syou|asked\s(?:you\s)?(?:for|to)?|mean|meant)\b[\s,:]*(?:that\s)?
      | i\s(?:think|guess|believe|feel\slike)\s(?:that\s)?
      | i\sthink\syou\s\w+\s[^;,]*[;,]\s*
      | (?:can|could|would|will)\syou\s(?:please\s)?(?=\w)
      | (?:make\ssure|be\ssure|ensure|remember|try|you\s(?:need|have|ought)|i\s(?:want|need|would\slike|'d\slike)\syou|i'd\slike\syou)\s(?:to\s)(?=\w)
      | (?:remember|note|keep\sin\smind|be\saware|fyi|for\syour\sinformation|make\sa\snote|rule|new\srule)(?:\s(?:also|for\s\w+))?\s*[:,]?\s+(?:that\s)?(?=\S)
      | (?:from\snow\son|going\sforward|in\s(?:the\s)?future|for\s(?:the\s)?future(?:\s\w+)?|for\sfuture\s(?:sessions|reference|work|changes)|next\stime|for\snext\stime
         |as\sa\s(?:general\s)?rule(?:\sof\sthumb)?|in\sgeneral|generally|by\sdefault|as\salways|like\si\ssaid|once\sagain|for\sthe\srecord|hereafter|henceforth)\b[\s,:;-]*
    )""",
    re.X | re.I,
)
_BLAME = re.compile(
    r"^(?:you\s(?:used|forgot|keep|kept|again|did|didn't|just|were|have|are|made|added|ran|put|deleted|wrote)\b|why\s|how\s(?:did|could|come)|what\sthe)",
    re.I,
)
_TAIL = re.compile(
    r"[\s,;-]+(?:please|pls|thanks|thank you|ok(?:ay)?|right|man|dude|for god's sake|you know|as i said|like i said|instead|from now on|going forward"
    r"|in (?:the )?future|next time|again|anymore|any more|at all|just do it|just run them)$",
    re.I,
)
_NEGATION = r"(?:don't|do not|dont|never|stop|avoid|quit|no need to|you (?:shouldn't|should not|must not|mustn't|don't need to)|we (?:don't|do not|never)|not)"
_ORDER_AFTER = re.compile(r"[,;]\s+(?=(?:use|always|never|don't|do not|only|please|run|keep|put|open|write|call)\b)", re.I)
Rule = Callable[[str], str | None]


def make(text: str) -> str | None:
    """One sentence that holds from now on; None where a person has to find the words."""
    own = words.own(text)
    for pair in zip(own.sentences, own.sentences[1:], strict=False):
        made = _contrast_over(pair[0].text, pair[1].text)
        if made:
            return _finish(made, own)
    for sentence in own.sentences:
        if not sentence.asks:
            made = of_sentence(sentence.text)
            if made:
                return _finish(made, own)
    return None


def of_sentence(text: str) -> str | None:
    """The statement that one sentence makes; held tokens stay in it."""
    for clause in _clauses(text):
        made = _by_rules(clause) or _of_both(clause)
        if made:
            return made
    return None


def _by_rules(clause: str) -> str | None:
    """What the first rule makes of a clause that does not leave an order standing at its end."""
    made = (rule(clause) for rule in _RULES)
    return next((found for found in made if found and not _ORDER_AFTER.search(found)), None)


def _of_both(clause: str) -> str | None:
    """`The database is not mocked; the fixture is used` from `don't mock the database, use the fixture`."""
    parts = _ORDER_AFTER.split(clause, maxsplit=1)
    made = [_by_rules(_bare(part)) for part in parts]
    return "; ".join(filter(None, made)) if len(made) > 1 and all(made) else None


def _finish(made: str, own: words.Words) -> str | None:
    whole = grammar.sentence(own.restore(made))
    return whole if _SHORTEST <= len(whole) <= LONGEST else None


def _clauses(text: str) -> list[str]:
    """The sentence without openers and tail, then each of its clauses, from the whole to the parts."""
    whole = _bare(text)
    found = [whole]
    for mark in (
        r",\s+(?:but|so|and)\s+",
        r",\s+(?=(?:use|we|always|never|don't|do not|only|it|the|just|please|run|keep|put)\b)",
        r"\s+(?:but|because)\s+",
    ):
        parts = [_bare(part) for part in re.split(mark, whole, flags=re.I)]
        found += [part for part in reversed(parts) if len(parts) > 1]
    return [clause for clause in dict.fromkeys(found) if clause and not _BLAME.match(clause)]


def _bare(text: str) -> str:
    bare = text.strip(' \t\n,;:.!-–—*"')
    while True:
        shorter = _OPENER.sub("", bare, count=1).strip(" ,;:")
        shorter = _TAIL.sub("", shorter)
        if shorter == bare or not shorter:
            return bare
        bare = shorter


_X = r"(?P<x>[^,;]+?)"
_Y = r"(?P<y>[^,;]+?)"
_USE = r"(?:use|using|go with|stick (?:to|with)|reuse|we use|we're using|we are using|switch to|try)"
_TAKE = r"(?:us(?:e|ing)|go(?:ing)? with|reach(?:ing)? for|do|run(?:ning)?|call(?:ing)?|import(?:ing)?|install(?:ing)?|writ(?:e|ing))"
_SWAPS = tuple(
    re.compile(pattern + "$", re.I)
    for pattern in (
        rf"(?:always )?{_USE} {_X}(?:,? (?:and )?(?:never|not)(?: use)?|,? instead of|,? rather than| over) {_Y}",
        rf"(?:{_NEGATION} {_TAKE}) {_Y}\s*(?:[,;:-]+|\band\b|\bbut\b)\s*(?:please |just |rather )?{_USE} {_X}(?: instead)?",
        rf"(?:instead of|rather than) (?:using )?{_Y}, ?(?:please )?{_USE} {_X}",
        rf"{_USE} {_X},? (?:{_NEGATION} (?:use|using)) {_Y}",
        rf"(?:no|not) {_Y}[,;] ?{_USE} {_X}",
    )
)
_SAID_USED = re.compile(
    r"^(?P<x>[^,;]+?),? (?:but |and )?you (?:used|did|put|wrote|picked|chose) (?P<y>[^,;]+)$", re.I
)
_HERE = re.compile(
    r"^(.*?)(\s+(?:here|in this (?:repo|project|code ?base|repository|module|package)|everywhere|in (?:the|our) [\w-]+|for [\w -]+))$",
    re.I,
)


def _swap(clause: str) -> str | None:
    """`Y is used instead of X` from an order that names both."""
    for pattern in _SWAPS:
        match = pattern.match(clause)
        if match:
            return _used_instead(match["x"], match["y"], clause)
    return None


def _used_instead(new: str, old: str, clause: str) -> str | None:
    place = _HERE.match(old)
    where = ""
    if place and place[1]:
        old, where = place[1], place[2]
    if not _is_thing(new) or not _is_thing(old):
        return None
    verb = (
        "reused"
        if re.match(r"(?:instead of[^,]*, ?)?reuse\b", clause, re.I) or ", reuse " in clause
        else "used"
    )
    return grammar.impersonal(f"{new.strip()} {grammar.be(new)} {verb} instead of {old.strip()}{where}")


def _is_thing(phrase: str) -> bool:
    """Whether a phrase can stand as a noun phrase: not a pronoun alone, not a clause."""
    low = phrase.strip().lower()
    return (
        bool(low)
        and low not in _PRONOUNS
        and len(low.split()) <= 9
        and not re.match(r"(?:to|that|it|this|what|when|if)\s", low)
    )


_PRONOUNS = frozenset("it this that these those them one ones something anything everything so yours mine that one this one".split()) | {
    "that one", "this one", "the other", "the other one", "the same", "the first", "the second",
}  # fmt: skip


def _contrast_over(first: str, second: str) -> str | None:
    """Two sentences, one that rules something out and one that says what to use."""
    out, take = _bare(first), _bare(second)
    ruled = re.match(rf"^{_NEGATION} (?:use|using) {_Y}$", out, re.I)
    taken = re.match(rf"^{_USE} {_X}$", take, re.I)
    if ruled and taken:
        return _used_instead(taken["x"], ruled["y"], take)
    return None


_ADVERB = r"(?P<adverb>always|never|only)"
_ORDER = re.compile(
    rf"^(?:you (?:must|should|need to|have to|shall)|we|should|must|it should)? ?{_ADVERB} (?P<verb>[a-z-]+)(?: (?P<rest>.+))?$",
    re.I,
)
_ONLY = re.compile(r"^only (?P<verb>[a-z-]+) (?P<rest>.+)$", re.I)


def _standing(clause: str) -> str | None:
    """`The formatter is always run before committing` from `always run the formatter before committing`."""
    match = _ORDER.match(clause)
    if match is None or not verbs.is_verb(match["verb"]):
        return None
    adverb = match["adverb"].lower()
    if adverb == "only":
        made = _passive(match["verb"], match["rest"] or "", "")
        return f"only {made}" if made else None
    return _passive(match["verb"], match["rest"] or "", f"{adverb} ") or _agent(
        match["verb"], match["rest"] or "", f"{adverb} "
    )


def _passive(verb: str, rest: str, adverb: str, negated: bool = False) -> str | None:
    """`X is [adverb] done …`; None where the verb has no clear object."""
    if not rest or verbs.takes_no_object(verb):
        return None
    thing, after = grammar.object_of(rest)
    if not _is_thing(thing) or verbs.is_verb(thing.split()[0]) and " " not in thing:
        return None
    if re.match(r"(?:a|an|the|any|all|every|each|no|its|our|your|my|more|\d+)$", thing, re.I):
        return None
    thing = re.sub(r"^any\s", "", thing, flags=re.I) if negated or adverb == "never " else thing
    return grammar.impersonal(f"{thing} {grammar.be(thing, negated)} {adverb}{verbs.participle(verb)}{after}")


def _agent(verb: str, rest: str, adverb: str) -> str:
    """`The agent always asks before …`, for verbs without an object."""
    return (
        grammar.impersonal(f"you {adverb}").rstrip()
        + " "
        + grammar.impersonal(f"{verbs.third(verb)} {rest}").strip().replace("the agent", "it", 1)
    )


_DONT = re.compile(
    r"^(?:you |i'd rather you |i would rather you |i'd prefer (?:it )?if you |we |please |it would be (?:better|nice) if you )?"
    r"(?:don't|do not|dont|didn't|did not|shouldn't|should not|must not|mustn't|don't ever|no longer) (?:ever |just )?(?P<verb>[a-z-]+)(?: (?P<rest>.+))?$",
    re.I,
)
_STOP = re.compile(
    r"^(?:stop|quit|avoid|no more|enough with(?: the)?)(?: with)? (?P<verb>[a-z-]+ing)(?: (?P<rest>.+))?$",
    re.I,
)


def _ruled_out(clause: str) -> str | None:
    """`The database is not mocked in …` from `don't mock the database in …`."""
    match = _DONT.match(clause)
    verb = match["verb"] if match else None
    if match is None:
        match = _STOP.match(clause)
        verb = verbs.from_gerund(match["verb"]) if match else None
    if match is None or verb is None or not verbs.is_verb(verb):
        return None
    return _passive(verb, match["rest"] or "", "", negated=True)


_WE = re.compile(
    r"^(?:here |in this (?:repo|project|codebase) )?we (?:always |only |usually |normally |generally )?(?P<verb>[a-z-]+) (?P<rest>.+)$",
    re.I,
)


def _ours(clause: str) -> str | None:
    """`Full words are used here` from `we use full words here`."""
    match = _WE.match(clause)
    if match is None or not verbs.is_verb(match["verb"]) or match["verb"].lower() in _NOT_HABITS:
        return None
    adverb = re.match(r"^.*?\bwe (always|only|usually|normally|generally) ", clause, re.I)
    return _passive(match["verb"], match["rest"], f"{adverb[1].lower()} " if adverb else "")


_NOT_HABITS = frozenset("have be do get go see find think let can could make say tell end".split())
_WHEN = re.compile(
    r"^(?P<when>whenever|every time|each time|any time|anytime|if|when|before|after|once) you (?P<if>[^,]+),? ?(?:then )?(?:please |always )?(?P<verb>[a-z-]+) (?P<then>.+)$",
    re.I,
)


def _whenever(clause: str) -> str | None:
    """`Whenever the agent adds a dependency, it tells the user its licence`."""
    match = _WHEN.match(clause)
    if match is None or "," not in clause or not verbs.is_verb(match["verb"]):
        return None
    condition = grammar.impersonal(f"you {match['if'].strip()}")
    result = grammar.impersonal(f"{verbs.third(match['verb'])} {match['then']}")
    return f"{match['when'].lower()} {condition}, it {result}"


_PREFER = re.compile(
    r"^(?:i|we)(?:'d| would)? (?:much |really )?prefer (?P<x>[^,;]+?)(?: (?P<than>over|to|instead of|rather than) (?P<y>[^,;]+))?$",
    re.I,
)
_LIKE = re.compile(r"^i (?:really )?(?:like|love) it when (?P<rest>.+)$", re.I)


def _liked(clause: str) -> str | None:
    """`Explicit loops are preferred over nested comprehensions`."""
    match = _PREFER.match(clause)
    if match and _is_thing(match["x"]) and not re.match(r"(?:if|that|to|it|you)\b", match["x"], re.I):
        other = f" over {match['y']}" if match["y"] else ""
        return grammar.impersonal(f"{match['x']} {grammar.be(match['x'])} preferred{other}")
    liked = _LIKE.match(clause)
    return _declared(liked["rest"]) if liked else None


_MUST_BE = re.compile(
    r"^(?P<subject>.+?) (?:should be|has to be|have to be|needs to be|need to be|ought to be|is supposed to be|are supposed to be) (?P<rest>.+)$",
    re.I,
)
_FINITE = re.compile(
    r"\b(?:is|are|isn't|aren't|has|have|needs?|must|should|shouldn't|cannot|can't|can|uses?|goes|go|belongs?|lives?|applies|apply|gets?|comes?|runs?|lists?"
    r"|takes?|stays?|requires?|means?|starts?|ends?|does|doesn't|do not|don't|contains?|expects?|works?|holds?)\b",
    re.I,
)
_SUBJECT = re.compile(
    r"^(?:the|a|an|our|all|every|each|any|anything|everything|no|commits?|[A-Z\ue000][\w\ue001./-]*|[a-z][\w-]*s?)\b(?! (?:is|are) (?:it|that)\b)",
    re.I,
)
_VAGUE = re.compile(
    r"^(?:it|this|that|these|those|there|they|he|she|you|i|we|what|which|who|how|why|where|when|if|whenever|please|let's|lets|let|can|could|would|will|do|does|did|is|are|use|add|make|now|then)\b",
    re.I,
)
_EVENT = re.compile(
    r"\b(?:now|still|again|yesterday|today|just|currently|was|were|did|failed|fails|failing|broken|error|errors|crashed|missing)\b",
    re.I,
)


def _declared(clause: str) -> str | None:
    """A sentence that already says how things are; `should be` becomes `is`."""
    must = _MUST_BE.match(clause)
    if must and not _VAGUE.match(must["subject"]) and _is_thing(must["subject"]):
        return grammar.impersonal(f"{must['subject']} {grammar.be(must['subject'])} {must['rest']}")
    if (
        _VAGUE.match(clause)
        or _EVENT.search(clause)
        or not _SUBJECT.match(clause)
        or not 3 <= len(clause.split()) <= 30
    ):
        return None
    finite = _FINITE.search(clause)
    if finite is None or not 0 < finite.start() < 60 or verbs.is_verb(clause.split()[0]):
        return None
    return grammar.impersonal(clause)


_DO = re.compile(r"^(?P<verb>[a-z-]+) (?P<rest>.+)$", re.I)
_TOLD = re.compile(
    r"^(?:how many times do i (?:have|need) to (?:tell|ask|remind) you|i (?:told|asked) you|you (?:were|are) (?:told|supposed)|i (?:keep|kept) (?:telling|asking) you)(?: again)? to (?P<order>.+)$",
    re.I,
)


def ordered(clause: str) -> str | None:
    """`The linter is run first` from `run the linter first`; only for orders known to stand."""
    match = _DO.match(clause)
    if match is None or not verbs.is_verb(match["verb"]):
        return None
    return _passive(match["verb"], match["rest"], "")


def _told(clause: str) -> str | None:
    """`The formatter is run before committing` from `how many times do I have to tell you to run …`."""
    match = _TOLD.match(clause)
    return ordered(match["order"]) if match else None


def _said_used(clause: str) -> str | None:
    """`Two spaces are used, not four` from `I said two spaces, you used four`."""
    match = _SAID_USED.match(clause)
    if match is None or not _is_thing(match["x"]) or not _is_thing(match["y"]):
        return None
    return f"{match['x']} {grammar.be(match['x'])} used, not {match['y']}"


_USE_ONLY = re.compile(rf"^(?:{_USE}) (?P<x>.+)$", re.I)


def _use(clause: str) -> str | None:
    """`pytest is used` from `use pytest`."""
    match = _USE_ONLY.match(clause)
    if match is None:
        return None
    return _passive("use", match["x"], "")


_RULES: tuple[Rule, ...] = (
    _told,
    _swap,
    _said_used,
    _standing,
    _ruled_out,
    _whenever,
    _liked,
    _ours,
    _use,
    _declared,
)
