"""Rules for orders: what to use instead of what, what to do always or never, what not to do."""

import re

from learnloop.learn.language import grammar, lexicon, verbs
from learnloop.learn.language.passive import agent, agent_not, is_doing, is_thing, passive, stands_for

_X = r"(?P<x>[^,;]+?)"
_Y = r"(?P<y>[^,;]+?)"
_USE = r"(?:use|using|go with|stick (?:to|with)|reuse|we use|we're using|we are using|switch to)"
_NO_USE = (
    r"(?:don't|do not|never|stop|avoid|quit|no need to|you (?:shouldn't|should not|must not|mustn't)"
    r"|we (?:don't|do not|never))"
)
_SWAPS = tuple(
    re.compile(pattern + "$", re.I)
    for pattern in (
        rf"(?P<always>always )?{_USE} {_X}(?:,? (?:and )?(?:never|not)(?: use)?|,? instead of"
        rf"|,? rather than| over) {_Y}",
        rf"{_NO_USE} (?:use|using|go with|reach for|write|call|import|run|install|add"
        rf"|do) {_Y}\s*(?:[,;:-]+|\band\b|\bbut\b)\s*"
        rf"(?:please |just |rather |instead,? )?{_USE} {_X}(?: instead)?",
        rf"(?:instead of|rather than) (?:using )?{_Y},? (?:please |just )?{_USE} {_X}",
        rf"{_USE} {_X},? {_NO_USE} (?:use|using) {_Y}",
        rf"not {_Y}[,;] ?{_USE} {_X}",
        rf"no {_Y}[,;] ?(?:please |just )?{_USE} {_X}",
        rf"you(?:'ve| have)? used {_Y}(?: again)?[,;] ?(?:but |so )?(?:please |just )?{_USE} {_X}"
        r"(?: instead)?",
        r"(?:bitte )?(?:be)?nutze?n? (?P<x>\S+) (?:an)?statt (?P<y>\S+)",
        r"(?:bitte )?(?:verwende?n?|nimm) (?P<x>\S+) (?:an)?statt (?P<y>\S+)",
        r"utilise[rz]? (?:plut[ôo]t )?(?P<x>\S+) (?:au lieu de|plut[ôo]t que) (?P<y>\S+)",
        r"(?:usa|utiliza) (?P<x>\S+) en (?:lugar|vez) de (?P<y>\S+)",
    )
)
_WHERE = re.compile(
    r"^(.+?)(\s+(?:here|everywhere|for [\w -]+|in (?:this|the|our|your) [\w -]+))$", re.I
)  # fmt: skip
_PAIR = re.compile(r"^(?P<x>[^,;]{1,40}?),? (?:and )?not (?P<y>[^,;]{1,40})$", re.I)
_NO_PAIR = re.compile(
    r"^(?:the|this|that|these|those|a|an|my|your|our|no|yes|yeah|ok|sure|maybe|probably|definitely|works?|good"
    r"|nice|great|fine|thanks|first|second|last|next|left|right|only|just|now|later|today|tomorrow|in|on|at|to"
    r"|from|for|with|of|by|after|before|inside|under|is|are|was|it's|i|i'm|we|you|there|but|and|so|hm+|one"
    r"|all|some|most|why|how|what|when|where|who|which|if|whether|necessarily|yet|really|bad|much)\b",
    re.I,
)


def swap(clause: str) -> str | None:
    """`Y is used instead of X` from an order that names both."""
    for pattern in _SWAPS:
        match = pattern.match(clause)
        if match:
            always = " always" if match.groupdict().get("always") else ""
            is_reused = re.search(r"(?:^|, ?)reuse\b", clause, re.I) is not None
            return used_instead(match["x"], match["y"], always, reused=is_reused)
    return None


def used_instead(new: str, old: str, always: str = "", reused: bool = False) -> str | None:
    """`Y is used instead of X`; a place named with either goes to the end."""
    new, old = (re.sub(r",? (?:please|instead)$", "", side.strip(), flags=re.I) for side in (new, old))
    place, at_new = _WHERE.match(old), _WHERE.match(new)
    old, where = (place[1], place[2]) if place else (old, "")
    if at_new and not where:
        new, where = at_new[1], at_new[2]
    if not _is_choice(new) or not (_is_choice(old) or is_doing(old)):
        return None
    done = "reused" if reused else "used"
    return grammar.impersonal(
        f"{new.strip()} {grammar.be(new)}{always} {done} instead of {old.strip()}{where}"
    )


def _is_choice(phrase: str) -> bool:
    """Whether a phrase names what one may use; `any` alone is a type."""
    return is_thing(phrase) or phrase.strip().lower() == "any"


def pair(clause: str) -> str | None:
    """`snake_case is used instead of camelCase` from `snake_case, not camelCase`."""
    match = _PAIR.match(clause)
    if match is None or any(_NO_PAIR.match(side) or not is_thing(side) for side in match.group("x", "y")):
        return None
    sides = match.group("x", "y")
    if max(len(side.split()) for side in sides) > 3 or any(_has_verb(side) for side in sides):
        return None
    return used_instead(match["x"], match["y"])


def _has_verb(phrase: str) -> bool:
    words = phrase.lower().split()
    is_order = len(words) > 1 and verbs.is_verb(words[0])
    return is_order or any(word in lexicon.MODAL or word in lexicon.NO_NOUNS for word in words)


_ORDER = re.compile(
    r"^(?:(?:you|we|agents) (?:must |should |need to |have to |shall |can )?|should |must )?"
    r"(?P<adverb>always|never)(?:,? ever,?)? (?P<verb>[a-z-]+)(?: (?P<rest>.+))?$",
    re.I,
)
_ONLY = re.compile(
    r"^(?:you should |we should |we |please )?only (?:ever )?(?P<verb>[a-z-]+) (?P<rest>.+)$", re.I
)


_NO_ACTS = lexicon.listed("be have into onto with from over under inside outside upon about")
"""Words after `always` or `never` that are no verbs of an order."""


def standing(clause: str, back: bool = False) -> str | None:
    """`The formatter is always run before committing` from `always run the formatter before committing`."""
    match = _ORDER.match(clause)
    if match is None or not verbs.may_be_verb(match["verb"]) or match["verb"].lower() in _NO_ACTS:
        return None
    adverb, rest = match["adverb"].lower() + " ", match["rest"] or ""
    if not verbs.is_verb(match["verb"]):
        return agent(match["verb"], rest, adverb) if rest else None
    statement = passive(match["verb"], rest, adverb, back=back)
    return statement or (
        None if _is_lost(adverb, rest) or stands_for(rest) else agent(match["verb"], rest, adverb)
    )


def _is_lost(adverb: str, rest: str) -> bool:
    """Whether an order would say something else with its verb in front of the agent."""
    return adverb == "never " and re.search(r"\beverywhere\b", rest, re.I) is not None


def only(clause: str) -> str | None:
    """`Only the tests of … are run` from `only run the tests of …`."""
    match = _ONLY.match(clause)
    if match is None or not verbs.is_verb(match["verb"]):
        return None
    statement = passive(match["verb"], match["rest"])
    return f"only {statement}" if statement else None


_DONT = re.compile(
    r"^(?:you |i(?:'d| would) rather you |i(?:'d| would) prefer (?:it )?if you |we "
    r"|it would be (?:better|nice) if you )?"
    r"(?:don't|do not|didn't|did not|shouldn't|should not|must not|mustn't|no longer|not) (?:ever |just )?"
    r"(?P<verb>[a-z-]+)(?: (?P<rest>.+))?$",
    re.I,
)
_NOT_YET = re.compile(r"\b(?:yet|for now|right now|this time)$", re.I)
"""Words that postpone an act, which does not forbid it."""
_STOP = re.compile(r"^(?:stop|quit|avoid|no more)(?: with)? (?P<verb>[a-z-]+ing)(?: (?P<rest>.+))?$", re.I)
_NEEDLESS = re.compile(
    r"^(?:there(?:'s| is) )?(?:no need to|you (?:don't|do not) (?:need|have) to|needn't) (?P<verb>[a-z-]+) "
    r"(?P<rest>.+)$",
    re.I,
)


def ruled_out(clause: str, back: bool = False) -> str | None:
    """`The database is not mocked in …` from `don't mock the database in …`."""
    match = _DONT.match(clause)
    verb = match["verb"] if match else None
    if match is None:
        match = _STOP.match(clause)
        verb = verbs.from_gerund(match["verb"]) if match else None
    if match is None or verb is None or not verbs.is_verb(verb) or verb.lower() in lexicon.NOT_ACTS:
        return None
    rest = match["rest"] or ""
    if _NOT_YET.search(rest):
        return None
    return passive(verb, rest, negated=True, back=back) or agent_not(verb, rest)


def needless(clause: str) -> str | None:
    """`The whole suite does not need to be run` from `no need to run the whole suite`."""
    match = _NEEDLESS.match(clause)
    statement = passive(match["verb"], match["rest"]) if match and verbs.is_verb(match["verb"]) else None
    if statement is None:
        return None
    thing, are, done = re.split(r" (is|are) ", statement, maxsplit=1)
    return f"{thing} {'does' if are == 'is' else 'do'} not need to be {done}"


_AVOID = re.compile(
    r"^(?:(?:please )?avoid|i(?:'d like| would like| want) to avoid"
    r"|i'm not (?:really )?a (?:big |huge )?fan of) (?P<x>[^,;]+)$",
    re.I,
)
_AS_FAR = re.compile(r" (?:as much as possible|wherever possible|where possible|at all costs?)$", re.I)
_MAY = re.compile(
    r"^you (?P<may>can|may|don't need to|don't have to|do not need to"
    r"|do not have to) (?P<rest>[^,;]+)(?:, (?:just|simply) .*)?$",
    re.I,
)


def avoided(clause: str) -> str | None:
    """`Inline styles are avoided` from `avoid inline styles`."""
    match = _AVOID.match(clause)
    if match is None:
        return None
    thing, far = _AS_FAR.sub("", match["x"]), _AS_FAR.search(match["x"])
    thing = thing.removeprefix("using ")
    if not is_thing(thing) or (is_doing(thing) and far is None):
        return None
    are = "is" if is_doing(thing) else grammar.be(thing)
    return grammar.impersonal(f"{thing} {are} avoided{far[0] if far else ''}")


def allowed(clause: str) -> str | None:
    """`The agent does not need to ask the user …` from `you don't need to ask me …`."""
    match = _MAY.match(clause)
    if match is None or " " not in match["rest"]:
        return None
    return grammar.impersonal(f"you {match['may']} {match['rest']}")


_PLACE = r"(?:here|in (?:this|our) (?:repo|repository|project|codebase|code base|team|company|module))"
_WE = re.compile(
    rf"^(?:{_PLACE},? )?we (?:(?P<adverb>always|only|usually|normally|generally) )?"
    r"(?P<verb>[a-z-]+) (?P<rest>.+)$",
    re.I,
)


def ours(clause: str) -> str | None:
    """`Full words are used here` from `we use full words here`."""
    match = _WE.match(clause)
    if match is None or not verbs.is_verb(match["verb"]):
        return None
    if match["verb"].lower() in lexicon.NOT_ACTS | {"make", "tell", "end"}:
        return None
    adverb = f"{match['adverb'].lower()} " if match["adverb"] else ""
    return passive(match["verb"], match["rest"], adverb)


_SHOULD_HAVE = re.compile(
    r"^(?:you |we )?should(?P<not>n't| not)?(?:'ve| have| of) (?P<verb>[a-z-]+) (?P<rest>.+)$", re.I
)


def should_have(clause: str) -> str | None:
    """`The existing helper is used` from `you should have used the existing helper`."""
    match = _SHOULD_HAVE.match(clause)
    verb = verbs.from_participle(match["verb"]) if match else None
    if match is None or verb is None:
        return None
    if match["not"]:
        return ruled_out(f"don't {verb} {match['rest']}")
    return ordered(f"{verb} {match['rest']}")


def ordered(clause: str, back: bool = False) -> str | None:
    """`The linter is run first` from `run the linter first`; only for orders that are known to last."""
    match = re.match(r"^(?:please |just )*(?P<verb>[a-z-]+) (?P<rest>.+)$", clause, re.I)
    if match is None or not verbs.is_verb(match["verb"]):
        return None
    verb, rest = match["verb"], match["rest"]
    if rest.lower().startswith(("sure ", "and ", "or ", "you ", "you're ")):
        return None
    if rest.lower().startswith("only "):
        statement = passive(verb, rest[len("only ") :])
        return f"only {statement}" if statement else None
    statement = swap(clause) or contrasted(clause) or passive(verb, rest, back=back)
    if statement or not verbs.takes_no_object(verb) or verb.lower() in lexicon.NOT_ACTS:
        return statement
    return agent(verb, rest, "")


_CONTRASTED = re.compile(
    r"^(?:please |just )*(?P<verb>put|place|store|keep|write|name|run|return|read|load|define|render|send"
    r"|call|import|throw|raise|log|format|spell|pass|save)"
    r" (?!it\b|that\b|this\b|them\b)(?P<rest>[^,;]+,? (?:and )?not [^,;]+)$",
    re.I,
)


_OF_IT = re.compile(
    r"^(?:please )?(?:call|name|put|write|make|spell|store|keep) (?:it|that|this|them) .+"
    r"(?:, (?:and )?not| instead of| rather than) ",
    re.I,
)


def is_lasting(clause: str) -> bool:
    """Whether an order that contrasts is about how work is done, not about what to do next."""
    words = clause.lower().removeprefix("please ").split()
    is_at_once = (
        words[0] in ("run", "show", "return", "send", "render", "load", "read") and "with" not in words
    )
    if is_at_once or "again" in words:
        return False
    return contrasted(clause) is not None or _OF_IT.match(clause) is not None


_INSTEAD = re.compile(
    r"^(?:please |just )*(?P<verb>[a-z-]+) (?P<x>[^,;]+?) (?:instead of|rather than) (?P<y>[^,;]+)$", re.I
)


def contrasted(clause: str) -> str | None:
    """`The migrations are run through alembic, not by hand`; only for corrections."""
    match = _CONTRASTED.match(clause)
    if match:
        return passive(match["verb"], _before_not(match["rest"]))
    match = _INSTEAD.match(clause)
    if match is None or not verbs.is_verb(match["verb"]) or match["verb"].lower() == "use":
        return None
    return passive(match["verb"], f"{match['x']} instead of {match['y']}")


_BARE_NOT = re.compile(r"(?<=[^\s,]) (?:and )?not (?=\S)", re.I)


def _before_not(text: str) -> str:
    """The text with a comma before its `not`."""
    return text if ", " in text else _BARE_NOT.sub(", not ", text, count=1)


_NONE = re.compile(
    r"^no (?:more )?(?P<x>[a-z][\w -]*?) (?P<where>(?:in|on|inside|without|for) [^,;]+)$", re.I
)


def none_of(clause: str) -> str | None:
    """`No emojis are used in commits` from `no emojis in commits`; only for lasting orders."""
    match = _NONE.match(clause)
    if match is None or not is_thing(match["x"]) or _has_verb(f"{match['x']} {match['where']}"):
        return None
    return f"no {match['x']} {grammar.be(match['x'])} used {match['where']}"


def use(clause: str) -> str | None:
    """`pytest is used` from `use pytest`."""
    match = re.match(rf"^(?:please |just |we should |you should )?{_USE} (?P<x>.+)$", clause, re.I)
    return ordered(f"use {match['x']}") if match else None
