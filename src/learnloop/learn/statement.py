"""From a person's order or remark to one present-tense sentence, by rules; None where no rule is sure."""

import itertools
import re
from collections.abc import Callable, Iterable

from learnloop.learn import clauses, grammar, lexicon, verbs, words

LONGEST = 240
_SHORTEST = 8

Rule = Callable[[str], str | None]


def make(text: str) -> str | None:
    """One sentence that holds from now on; None where a person has to find the words."""
    own = words.own(text)
    told = [sentence.text for sentence in own.sentences if not sentence.asks]
    for first, second in itertools.pairwise(told):
        made = _over_two(first, second)
        if made:
            return _finished(made, own)
    for rules in (SURE, LOOSE):
        for sentence in told:
            made = of_sentence(sentence, rules)
            if made:
                return _finished(made, own)
    return None


def of_sentence(text: str, rules: Iterable[Rule] | None = None) -> str | None:
    """The statement that one sentence makes; held tokens stay in it."""
    chosen = tuple(rules or (*SURE, *LOOSE))
    if clauses.stands(text):
        chosen = (*chosen, ordered)
    for clause in clauses.of(text):
        for rule in chosen:
            made = rule(clause)
            if made:
                return made
    return None


def _finished(made: str, own: words.Words) -> str | None:
    whole = grammar.sentence(own.restore(made))
    return whole if _SHORTEST <= len(whole) <= LONGEST else None


_X = r"(?P<x>[^,;]+?)"
_Y = r"(?P<y>[^,;]+?)"
_USE = r"(?:use|using|go with|stick (?:to|with)|reuse|we use|we're using|we are using|switch to)"
_NO_USE = (
    r"(?:don't|do not|dont|never|stop|avoid|quit|no need to|you (?:shouldn't|should not|must not|mustn't)"
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
        r"(?:bitte )?(?:be)?nutze?n? (?P<x>\S+) (?:an)?statt (?P<y>\S+)",
        r"(?:bitte )?(?:verwende?n?|nimm) (?P<x>\S+) (?:an)?statt (?P<y>\S+)",
        r"utilise[rz]? (?:plut[ôo]t )?(?P<x>\S+) (?:au lieu de|plut[ôo]t que) (?P<y>\S+)",
        r"(?:usa|utiliza) (?P<x>\S+) en (?:lugar|vez) de (?P<y>\S+)",
    )
)
_WHERE = re.compile(
    r"^(.+?)(\s+(?:here|everywhere|for [\w -]+|in (?:this|the|our|your) [\w -]+))$", re.I
)  # fmt: skip


def _swap(clause: str) -> str | None:
    """`Y is used instead of X` from an order that names both."""
    for pattern in _SWAPS:
        match = pattern.match(clause)
        if match:
            always = " always" if match.groupdict().get("always") else ""
            return _used_instead(
                match["x"], match["y"], always, reused=bool(re.search(r"(?:^|, ?)reuse\b", clause, re.I))
            )
    return None


_SHORT_SWAP = 11
_THIS_TIME = re.compile(r"\s(?:for|in|on|when|while|to|until|this time|now|first|option)\b", re.I)


def is_swap(text: str) -> bool:
    """Whether a sentence says nothing but what to use instead of what, wherever that may be."""
    whole = clauses.bare(text)
    if len(whole.split()) > _SHORT_SWAP or _THIS_TIME.search(whole.partition(" ")[2]):
        return False
    return _swap(whole) is not None


def _used_instead(new: str, old: str, always: str = "", reused: bool = False) -> str | None:
    place, at_new = _WHERE.match(old), _WHERE.match(new)
    old, where = (place[1], place[2]) if place else (old, "")
    if at_new and not where:
        new, where = at_new[1], at_new[2]
    if not _is_thing(new) or not (_is_thing(old) or _is_doing(old)):
        return None
    done = "reused" if reused else "used"
    return grammar.impersonal(
        f"{new.strip()} {grammar.be(new)}{always} {done} instead of {old.strip()}{where}"
    )


def _over_two(first: str, second: str) -> str | None:
    """Two sentences, one that rules something out and one that says what to use."""
    out = re.match(rf"^{_NO_USE} (?:use|using) {_Y}(?: here)?$", clauses.bare(first), re.I)
    take = re.match(rf"^{_USE} {_X}(?: instead)?$", clauses.bare(second), re.I)
    return _used_instead(take["x"], out["y"]) if out and take else None


def _is_thing(phrase: str) -> bool:
    """Whether a phrase can stand as a noun phrase: not a pronoun alone, not a clause."""
    low = phrase.strip().lower()
    if (
        not low
        or low in lexicon.PRONOUNS
        or len(low.split()) > 12
        or re.match(r"(?:to|that|it|this|what|when|if|how)\s", low)
    ):
        return False
    return low.split()[-1] not in lexicon.DANGLING


def _is_doing(phrase: str) -> bool:
    return verbs.from_gerund(phrase.split()[0]) is not None


_ORDER = re.compile(
    r"^(?:(?:you|we|agents) (?:must |should |need to |have to |shall |can )?|should |must )?"
    r"(?P<adverb>always|never) (?P<verb>[a-z-]+)(?: (?P<rest>.+))?$",
    re.I,
)
_ONLY = re.compile(
    r"^(?:you should |we should |we |please )?only (?:ever )?(?P<verb>[a-z-]+) (?P<rest>.+)$", re.I
)


def _standing(clause: str) -> str | None:
    """`The formatter is always run before committing` from `always run the formatter before committing`."""
    match = _ORDER.match(clause)
    if match is None or not verbs.may_be_verb(match["verb"]) or match["verb"].lower() in ("be", "have"):
        return None
    adverb, rest = match["adverb"].lower(), match["rest"] or ""
    if not verbs.is_verb(match["verb"]):
        return _agent(match["verb"], rest, f"{adverb} ") if rest else None
    return _passive(match["verb"], rest, f"{adverb} ") or _agent(match["verb"], rest, f"{adverb} ")


def _only(clause: str) -> str | None:
    """`Only the tests of … are run` from `only run the tests of …`."""
    match = _ONLY.match(clause)
    if match is None or not verbs.is_verb(match["verb"]):
        return None
    made = _passive(match["verb"], match["rest"], "")
    return f"only {made}" if made else None


def _passive(verb: str, rest: str, adverb: str, negated: bool = False) -> str | None:
    """`X is [adverb] done …`; None where the verb has no clear object."""
    if not rest or verbs.takes_no_object(verb):
        return None
    thing, after = grammar.object_of(rest)
    if grammar.starts_aside(rest) or not _is_thing(thing) or _second_order(thing) or _more_orders(after):
        return None
    after = _ASIDE.split(after)[0]
    thing, complement = _complement(thing)
    if negated or adverb == "never ":
        thing = re.sub(r"^any\s", "", thing, flags=re.I)
    return grammar.impersonal(
        f"{thing} {grammar.be(thing, negated)} {adverb}{verbs.participle(verb)}{complement}{after}"
    )


_ASIDE = re.compile(r",\s(?=(?:we|it|they|that|this|there|because|the|i)\s)", re.I)


def _complement(thing: str) -> tuple[str, str]:
    """What is said of an object behind it, as in `the tone informal`: it goes behind the verb."""
    head, _, last = thing.rpartition(" ")
    return (head, f" {last}") if head and last.lower() in lexicon.ADJECTIVES and " " in head else (thing, "")


def _second_order(thing: str) -> bool:
    """Whether a second order hangs on the object: `the formatter and commit the result`."""
    joined = re.search(r"\s(?:and|then|or)\s(?:then\s)?([a-z-]+)\s", thing, re.I)
    return joined is not None and verbs.is_verb(joined[1])


def _more_orders(after: str) -> bool:
    """Whether another order follows the object: `in library code, use logging`."""
    following = re.search(r",\s(?:just\s|please\s|then\s|and\s)?([a-z'-]+)\s", after, re.I)
    return after.count(",") > 1 or (
        following is not None and (verbs.is_verb(following[1]) or following[1].lower() in _FORBIDS)
    )


_FORBIDS = frozenset(("don't", "dont", "do", "never", "always"))


def _agent(verb: str, rest: str, adverb: str) -> str:
    """`The agent always asks before …`, for verbs without an object."""
    joined = re.sub(r"\band (?=([a-z-]+)\b)", "and ", rest)
    also = re.search(r"\sand (?P<verb>[a-z-]+)\s", joined)
    if also and verbs.is_verb(also["verb"]):
        joined = joined[: also.start("verb")] + verbs.third(also["verb"]) + joined[also.end("verb") :]
    told = grammar.impersonal(f"you_ {verbs.third(verb)} {joined}".strip())
    return told.replace("the agent", "it").replace("you_", f"the agent {adverb}".rstrip())


_DONT = re.compile(
    r"^(?:you |i(?:'d| would) rather you |i(?:'d| would) prefer (?:it )?if you |we "
    r"|it would be (?:better|nice) if you )?"
    r"(?:don't|do not|dont|didn't|did not|shouldn't|should not|must not|mustn't|no longer|not) (?:ever |just )?"
    r"(?P<verb>[a-z-]+)(?: (?P<rest>.+))?$",
    re.I,
)
_STOP = re.compile(r"^(?:stop|quit|avoid|no more)(?: with)? (?P<verb>[a-z-]+ing)(?: (?P<rest>.+))?$", re.I)


def _ruled_out(clause: str) -> str | None:
    """`The database is not mocked in …` from `don't mock the database in …`."""
    match = _DONT.match(clause)
    verb = match["verb"] if match else None
    if match is None:
        match = _STOP.match(clause)
        verb = verbs.from_gerund(match["verb"]) if match else None
    if match is None or verb is None or not verbs.is_verb(verb) or verb.lower() in lexicon.NOT_ACTS:
        return None
    rest = match["rest"] or ""
    made = _passive(verb, rest, "", negated=True)
    if made or not re.match(r"(?:directly )?(?:to|on|into) \w", rest, re.I) or _more_orders(f" {rest}"):
        return made
    return grammar.impersonal(f"you_ {verb} {rest}").replace("you_", "the agent does not")


_AVOID = re.compile(r"^(?:please )?avoid (?P<x>[^,;]+)$", re.I)
_MAY = re.compile(
    r"^you (?P<may>can|may|don't need to|don't have to|do not need to"
    r"|do not have to) (?P<rest>[^,;]+)(?:, (?:just|simply) .*)?$",
    re.I,
)


def _avoided(clause: str) -> str | None:
    """`Inline styles are avoided` from `avoid inline styles`."""
    match = _AVOID.match(clause) or _NO_FAN.match(clause)
    if match is None or not _is_thing(match["x"]) or _is_doing(match["x"]):
        return None
    return grammar.impersonal(f"{match['x']} {grammar.be(match['x'])} avoided")


def _allowed(clause: str) -> str | None:
    """`The agent does not need to ask the user …` from `you don't need to ask me …`."""
    match = _MAY.match(clause)
    return grammar.impersonal(f"you {match['may']} {match['rest']}") if match else None


_WE = re.compile(
    r"^(?:here |in this (?:repo|project|codebase) )?we (?:(?P<adverb>always|only|usually|normally"
    r"|generally) )?"
    r"(?P<verb>[a-z-]+) (?P<rest>.+)$",
    re.I,
)


def _ours(clause: str) -> str | None:
    """`Full words are used here` from `we use full words here`."""
    match = _WE.match(clause)
    if (
        match is None
        or not verbs.is_verb(match["verb"])
        or match["verb"].lower() in lexicon.NOT_ACTS | {"make", "tell", "end"}
    ):
        return None
    adverb = f"{match['adverb'].lower()} " if match["adverb"] else ""
    return _passive(match["verb"], match["rest"], adverb)


_WHEN = re.compile(
    r"^(?P<when>whenever|every time|each time|any time|anytime|if|when|before|after"
    r"|once) you (?P<if>[^,]+), ?(?:then )?"
    r"(?:please )?(?:(?P<adverb>always|never) )?(?P<verb>[a-z-]+) (?P<then>.+)$",
    re.I,
)


def _whenever(clause: str) -> str | None:
    """`Whenever the agent adds a dependency, it tells the user its licence`."""
    match = _WHEN.match(clause)
    if match is None or not verbs.is_verb(match["verb"]):
        return None
    condition = grammar.impersonal(f"you {match['if'].strip()}")
    adverb = f"{match['adverb'].lower()} " if match["adverb"] else ""
    result = grammar.impersonal(f"{verbs.third(match['verb'])} {match['then']}").replace("the agent", "it")
    return f"{match['when'].lower()} {condition}, it {adverb}{result}"


_PREFER = re.compile(
    r"^(?:(?:i|we)(?:'d| would)? (?:much |really |strongly |generally )?)?prefer (?P<x>[^,;]+?)"
    r"(?: (?:over|to|instead of|rather than) (?P<y>[^,;]+))?$",
    re.I,
)
_BETTER_THAN = re.compile(
    r"^(?:i|we) (?:really )?like (?P<x>[^,;]+?) (?:better|more) than (?P<y>[^,;]+)$", re.I
)
_NO_FAN = re.compile(r"^i'm not (?:really )?a (?:big |huge )?fan of (?P<x>[^,;]+)$", re.I)
_LIKE = re.compile(r"^i (?:really )?(?:like|love) it when (?P<rest>.+)$", re.I)


def _liked(clause: str) -> str | None:
    """`Explicit loops are preferred over nested comprehensions`."""
    match = _PREFER.match(clause) or _BETTER_THAN.match(clause)
    if match and _is_thing(match["x"]) and not re.match(r"(?:if|that|to|it|you|we)\b", match["x"], re.I):
        other = f" over {match['y']}" if match["y"] else ""
        return grammar.impersonal(f"{match['x']} {grammar.be(match['x'])} preferred{other}")
    liked = _LIKE.match(clause)
    return declared(liked["rest"]) or _habit(liked["rest"]) if liked else None


def _habit(clause: str) -> str | None:
    """A sentence whose verb is a plain one: `buttons say what happens`."""
    following = clause.split()[1:4]
    if _VAGUE.match(clause) or not any(verbs.is_verb(word) or verbs.is_third(word) for word in following):
        return None
    return grammar.impersonal(clause)


_TOLD = re.compile(
    r"^(?:how many times do i (?:have|need) to (?:tell|ask|remind) you|i (?:already )?(?:told|asked) you"
    r"|you (?:were|are) (?:told|supposed)|i (?:keep|kept) (?:telling"
    r"|asking) you)(?: again)? to (?P<order>.+)$",
    re.I,
)
_SAID = re.compile(
    r"^(?:like |as )?i (?:already |just |specifically )?(?:said|told you|asked for|wanted):? (?:that "
    r"|to )?(?P<rest>.+)$",
    re.I,
)
_SAID_USED = re.compile(
    r"^(?P<x>[^,;]+?),? (?:(?:but |and )?you (?:used|put|wrote|picked|chose|gave me|made|went with)|not) (?P<y>[^,;]+)$",
    re.I,
)  # fmt: skip


_NAMED = re.compile(
    r"^(?:it|that|this)(?:'s| is) (?P<how>called|named|spelled|spelt) (?P<x>[^,;]+?),? (?:and )?not (?P<y>[^,;]+)$",
    re.I,
)
_MADE_HABIT = re.compile(
    r"^make (?:it )?a (?:habit|rule|point) (?:of|to) (?P<verb>[a-z-]+) (?P<rest>.+)$", re.I
)
_BETTER = re.compile(r"^it(?:'d| would) be (?:better|cleaner|best|nicer) to (?P<order>.+)$", re.I)
_MEANT = re.compile(r"^(?:what )?i meant (?:was )?(?P<x>[^,;]+), (?:and )?not (?P<y>[^,;]+)$", re.I)


def _told(clause: str) -> str | None:
    """`The formatter is run before committing` from `how many times do I have to tell you to run …`."""
    match = _TOLD.match(clause)
    if match:
        return ordered(match["order"])
    named = _NAMED.match(clause)
    if named:
        told = "spelling" if named["how"].lower().startswith("spel") else "name"
        return f"the {told} is {named['x']}, not {named['y']}"
    habit = _MADE_HABIT.match(clause)
    if habit:
        verb = verbs.from_gerund(habit["verb"]) or habit["verb"]
        return ordered(f"{verb} {habit['rest']}")
    said = _SAID.match(clause)
    if said is None:
        return None
    used = _SAID_USED.match(said["rest"])
    if used and _is_thing(used["x"]) and _is_thing(used["y"]):
        return f"{used['x']} {grammar.be(used['x'])} used, not {used['y']}"
    return _swap(said["rest"]) or _ruled_out(said["rest"]) or _use(said["rest"]) or declared(said["rest"])


def ordered(clause: str) -> str | None:
    """`The linter is run first` from `run the linter first`; only for orders known to stand."""
    match = re.match(r"^(?P<verb>[a-z-]+) (?P<rest>.+)$", clause, re.I)
    if match is None or not verbs.is_verb(match["verb"]):
        return None
    made = _passive(match["verb"], match["rest"], "")
    return made or (
        _agent(match["verb"], match["rest"], "") if verbs.takes_no_object(match["verb"]) else None
    )


def _better(clause: str) -> str | None:
    """`The config is read once instead of …` from `it would be better to read the config once …`."""
    match = _BETTER.match(clause)
    return ordered(match["order"]) if match else None


def _meant(clause: str) -> str | None:
    """`orders_archive is meant, not orders`."""
    match = _MEANT.match(clause)
    if match is None or not _is_thing(match["x"]) or not _is_thing(match["y"]):
        return None
    return f"{match['x']} {grammar.be(match['x'])} meant, not {match['y']}"


_PLACED = re.compile(
    r"^(?:please |just )?(?P<verb>put|place|store|keep|write|name|run|return|read|load|define|render|send)"
    r" (?!it\b|that\b|this\b|them\b)(?P<rest>[^,;]+,? (?:and )?not [^,;]+)$",
    re.I,
)
_INSTEAD = re.compile(
    r"^(?:please |just )?(?P<verb>[a-z-]+) (?P<x>[^,;]+?) (?:instead of|rather than) (?P<y>[^,;]+)$", re.I
)


def _placed(clause: str) -> str | None:
    """`The migrations are run through alembic, not by hand`; known to correct what was done otherwise."""
    match = _PLACED.match(clause)
    if match:
        return _passive(match["verb"], match["rest"], "")
    match = _INSTEAD.match(clause)
    if match is None or not verbs.is_verb(match["verb"]) or verbs.takes_no_object(match["verb"]):
        return None
    if match["verb"].lower() == "use" or not _is_thing(match["x"]) or grammar.starts_aside(match["x"]):
        return None
    done = verbs.participle(match["verb"])
    return grammar.impersonal(f"{match['x']} {grammar.be(match['x'])} {done} instead of {match['y']}")


def _use(clause: str) -> str | None:
    """`pytest is used` from `use pytest`."""
    match = re.match(
        rf"^(?:please |just |we should |you should )?(?:{_USE}|have used) (?P<x>.+)$", clause, re.I
    )
    return _passive("use", match["x"], "") if match else None


_MUST_BE = re.compile(
    r"^(?P<subject>.+?) (?:should be|has to be|have to be|needs to be|need to be|ought to be"
    r"|is supposed to be|are supposed to be)"
    r" (?P<rest>.+)$",
    re.I,
)
_FINITE = re.compile(
    r"\s(?:is|are|isn't|aren't|has|have|needs?|must|should|shouldn't|cannot|can't|can|uses?|goes|go|belongs?|lives?|applies"
    r"|apply|gets?|comes?|runs?|lists?|takes?|stays?|requires?|means?|starts?|ends?|does|doesn't"
    r"|do not|don't|contains?"
    r"|expects?|works?|holds?|ist|sind)\s",
    re.I,
)
_SUBJECT = re.compile(
    r"^(?:(?:the|a|an|our|all|every|each|any|anything|everything|no|both|der|die|das)\s|[A-Z\ue000][\w\ue001./-]*\s|\S*[._/\d-]\S*\s|[a-z]+s\s(?:are|must|should|need|go|have)\s)"
)
_VAGUE = re.compile(
    r"^(?:it|this|that|these|those|there|here|they|he|she|you|i|we|what|which|who|how|why|where|when|if|whenever|please|let's"
    r"|lets|let|can|could|would|will|do|does|did|is|are|use|add|make|now|then|the (?:way|reason|thing"
    r"|problem|issue|fix|key|goal|idea|point|plan|intended|latest|next|underlying)|no(?!\s\w+\s(?:should|must|may)))\b(?!\S)",
    re.I,
)
_CONTRASTED = re.compile(r",\s(?:and\s)?not\s", re.I)
_EVENT = re.compile(
    r"\b(?:now|still|again|yesterday|today|just|currently|was|were|did|failed|fails|failing|broken|errors?|crashed|crashes|missing"
    r"|wrong|blank|empty|gone)\b",
    re.I,
)


def declared(clause: str) -> str | None:
    """A sentence that already says how things are; `should be` becomes `is`."""
    if _VAGUE.match(clause) or not 3 <= len(clause.split()) <= 30:
        return None
    must = _MUST_BE.match(clause)
    if _EVENT.search(clause) and not (must and _CONTRASTED.search(clause)):
        return None
    if must and _is_thing(must["subject"]) and "," not in must["subject"]:
        return grammar.impersonal(f"{must['subject']} {grammar.be(must['subject'])} {must['rest']}")
    finite = _FINITE.search(clause)
    if finite is None or len(clause[: finite.start()].split()) > 8 or not _SUBJECT.match(clause):
        return None
    return (
        None
        if "," in clause[: finite.start()] or verbs.is_verb(clause.split()[0])
        else grammar.impersonal(clause)
    )


_CONTRAST = re.compile(
    r"(?:,| and) (?:and )?not\b|\binstead\b|\bnever\b|\balways\b|\bmust\b|\bhere$|\bin this (?:repo"
    r"|project|code ?base)",
    re.I,
)


def is_rule(text: str) -> bool:
    """Whether a sentence says what is to be done or how things have to be, not merely how they are."""
    if of_sentence(text, [rule for rule in (*SURE, *LOOSE) if rule is not declared]):
        return True
    if not of_sentence(text, (declared,)):
        return False
    is_value = len(text.split()) <= 9 and re.search(r"\d|`|\ue000|--\w|\w[._/]\w", text) is not None
    return bool(_CONTRAST.search(text) or _MUST_BE.match(clauses.bare(text)) or is_value)


SURE: tuple[Rule, ...] = (_told, _swap, _standing, _only, _whenever, _liked, _ours)
LOOSE: tuple[Rule, ...] = (_ruled_out, _avoided, _allowed, _use, _better, _meant, _placed, declared)
