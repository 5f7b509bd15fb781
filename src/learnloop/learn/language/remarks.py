"""Rules for remarks: what somebody likes, has said before, or how things are."""

import re

from learnloop.learn.language import grammar, orders, verbs
from learnloop.learn.language.passive import is_thing

_WHEN = re.compile(
    r"^(?P<when>whenever|every time|each time|any time|anytime|if|when|before|after"
    r"|once) (?P<if>(?:you|an?|the|any|some\w+) [^,]+), ?(?:then )?"
    r"(?:please )?(?:(?P<adverb>always|never) )?(?P<verb>[a-z-]+) (?P<then>.+)$",
    re.I,
)


def whenever(clause: str) -> str | None:
    """`Whenever the agent adds a dependency, it tells the user its licence`."""
    match = _WHEN.match(clause)
    if match is None or not verbs.is_verb(match["verb"]):
        return None
    condition = grammar.impersonal(match["if"].strip())
    is_agents = condition.startswith("the agent ")
    if not is_agents and match["when"].lower() not in _EVERY:
        return None
    adverb = f"{match['adverb'].lower()} " if match["adverb"] else ""
    result = grammar.impersonal(f"{verbs.third(match['verb'])} {match['then']}").replace("the agent", "it")
    who = "it" if is_agents else "the agent"
    return f"{match['when'].lower()} {condition}, {who} {adverb}{result}"


_EVERY = ("whenever", "every time", "each time", "any time", "anytime")


_PREFER = re.compile(
    r"^(?:(?:i|we)(?:'d| would)? (?:much |really |strongly |generally )?)?prefer (?P<x>[^,;]+?)"
    r"(?: (?:over|to|instead of|rather than) (?P<y>[^,;]+))?$",
    re.I,
)
_BETTER_THAN = re.compile(
    r"^(?:i|we) (?:really )?like (?P<x>[^,;]+?) (?:better|more) than (?P<y>[^,;]+)$", re.I
)
_LIKE = re.compile(r"^i (?:really )?(?:like|love) it when (?P<rest>.+)$", re.I)


def liked(clause: str) -> str | None:
    """`Explicit loops are preferred over nested comprehensions`."""
    match = _PREFER.match(clause) or _BETTER_THAN.match(clause)
    if match and is_thing(match["x"]) and not re.match(r"(?:if|that|to|it|you|we)\b", match["x"], re.I):
        other = f" over {match['y']}" if match["y"] else ""
        return grammar.impersonal(f"{match['x']} {grammar.be(match['x'])} preferred{other}")
    likes = _LIKE.match(clause)
    return declared(likes["rest"]) or habit(likes["rest"]) if likes else None


def habit(clause: str) -> str | None:
    """A sentence with a plain verb: `buttons say what happens`."""
    following = clause.split()[1:4]
    if _VAGUE.match(clause) or not any(verbs.is_verb(word) or verbs.is_third(word) for word in following):
        return None
    return grammar.impersonal(clause)


_NAMES_ITS_SUBJECT = re.compile(r"^(?:the|an?|our|all|every|each) ", re.I)


def stated(clause: str) -> str | None:
    """A fact that names its subject: `the sandbox resets every night`."""
    return habit(clause) if _NAMES_ITS_SUBJECT.match(clause) else None


_TOLD = re.compile(
    r"^(?:how many times do i (?:have|need) to (?:tell|ask|remind) you"
    r"|i (?:already )?(?:told|asked) you|you (?:were|are) (?:told|supposed)"
    r"|i (?:keep|kept) (?:telling|asking) you|we (?:already |explicitly )?(?:agreed|decided))"
    r"(?: again)? (?P<not>not )?to (?P<order>.+)$",
    re.I,
)
_SAID = re.compile(
    r"^(?:like |as )?i (?:already |just |specifically )?(?:said|told you|asked for|wanted):? (?:that "
    r"|to )?(?P<rest>.+)$",
    re.I,
)
_SAID_USED = re.compile(
    r"^(?P<x>[^,;]+?),? (?:but |and )?you (?:used|put|wrote|picked|chose|gave me|made|went with)"
    r" (?P<y>[^,;]+)$",
    re.I,
)
_NAMED = re.compile(
    r"^(?:it|that|this)(?:'s| is) (?P<how>called|named|spelled|spelt) (?P<x>[^,;]+?)"
    r",? (?:and )?not (?P<y>[^,;]+)$",
    re.I,
)
_HABIT = re.compile(r"^make (?:it )?a (?:habit|rule|point) (?:of|to) (?P<verb>[a-z-]+) (?P<rest>.+)$", re.I)
_BETTER = re.compile(r"^it(?:'d| would) be (?:better|cleaner|best|nicer) to (?P<order>.+)$", re.I)


def repeated_order(clause: str) -> str | None:
    """`The formatter is run before committing` from `how many times do I have to tell you to run …`."""
    match = _TOLD.match(clause)
    if match:
        return orders.ruled_out(f"don't {match['order']}") if match["not"] else orders.ordered(match["order"])
    quoted = _SAID.match(clause)
    return _said(quoted["rest"]) if quoted else None


def _said(rest: str) -> str | None:
    used = _SAID_USED.match(rest)
    if used and is_thing(used["x"]) and is_thing(used["y"]):
        return f"{used['x']} {grammar.be(used['x'])} used, not {used['y']}"
    rules = (orders.swap, orders.pair, orders.ruled_out, orders.use, declared)
    return next((statement for rule in rules if (statement := rule(rest))), None)


def named(clause: str) -> str | None:
    """`The name is workspace, not project` from `it is called workspace, not project`."""
    match = _NAMED.match(clause)
    if match is None:
        return None
    what = "spelling" if match["how"].lower().startswith("spel") else "name"
    return f"the {what} is {match['x']}, not {match['y']}"


def advised(clause: str) -> str | None:
    """`The linter is run before …` from `make it a habit to run …` and `it would be better to run …`."""
    match = _HABIT.match(clause)
    if match:
        return orders.ordered(f"{verbs.from_gerund(match['verb']) or match['verb']} {match['rest']}")
    match = _BETTER.match(clause)
    return orders.ordered(match["order"]) if match else None


_NOT_BUT = re.compile(
    r"^(?P<x>[^;]+?) (?:(?P<one>isn't|is not)|aren't|are not) (?P<y>[^,;]+)[,;] "
    r"(?:they're|it's|(?:they|it|these|those) (?:is|are)) (?P<z>[^,;]+)$",
    re.I,
)
_DECIDED = re.compile(
    r"^(?:we|i) (?:already |explicitly )?(?:decided|agreed|settled) on (?P<x>[^,;]+?),?"
    r" (?:and )?not (?P<y>[^,;]+)$",
    re.I,
)
_RATHER = re.compile(r"^i(?:'d| would) (?:much )?rather (?:you|we) (?P<verb>[a-z]+) (?P<rest>.+)$", re.I)


def corrected_fact(clause: str) -> str | None:
    """`Ids are integers, not strings` from `ids are not strings, they are integers`."""
    match = _NOT_BUT.match(clause)
    if match and not _VAGUE.match(clause) and is_thing(match["z"]):
        be = "is" if match["one"] else "are"
        return grammar.impersonal(f"{match['x']} {be} {match['z']}, not {match['y']}")
    match = _DECIDED.match(clause)
    return orders.used_instead(match["x"], match["y"]) if match else None


def rather(clause: str) -> str | None:
    """`The agent asks before installing` from `I'd rather you asked before installing`."""
    match = _RATHER.match(clause)
    verb = verbs.from_participle(match["verb"]) if match else None
    return orders.ordered(f"{verb} {match['rest']}") if match and verb else None


_MUST_BE = re.compile(
    r"^(?P<subject>.+?) (?:should be|has to be|have to be|needs to be|need to be|ought to be"
    r"|(?:is|are|was|were) supposed to be)"
    r" (?P<rest>.+)$",
    re.I,
)
_SHOULD = re.compile(r"^(?P<subject>[^,;]+?) should (?P<not>not )?(?P<verb>[a-z-]+)(?P<rest> .+)$", re.I)
_FINITE = re.compile(
    r"\s(?:is|are|isn't|aren't|has|have|needs?|must|should|shouldn't|cannot|can't|can|uses?|goes|go|belongs?|lives?|applies"
    r"|apply|gets?|comes?|runs?|lists?|takes?|stays?|requires?|means?|starts?|ends?|does|doesn't"
    r"|do not|don't|contains?|returns?|accepts?|stores?|wants?"
    r"|expects?|works?|holds?|ist|sind)\s",
    re.I,
)
_SUBJECT = re.compile(
    r"^(?:(?:the|a|an|our|all|every|each|any|anything|everything|no|both|der|die|das)\s|[A-Z\ue000][\w\ue001./-]*\s|\S*[._/\d-]\S*\s"
    r"|(?:[a-z]+\s)?[a-z]+s\s(?:are|must|should|need|go|have|live|belong|use|stay|run)\s)"
)
_VAGUE = re.compile(
    r"^(?:it|this|that|these|those|there|here|they|he|she|you|i|we|what|which|who|how|why|where|when|if|whenever|please|let's"
    r"|lets|let|can|could|would|will|do|does|did|is|are|use|add|make|now|then|the (?:way|reason|thing"
    r"|problem|issue|fix|key|goal|idea|point|plan|intended|latest|next|underlying)|no(?!\s\w+\s(?:should|must|may)))\b(?!\S)",
    re.I,
)
_CONTRAST = re.compile(r",\s(?:and\s)?not\s", re.I)
_BARE_CONTRAST = re.compile(
    r"\b(?P<be>is|are|goes|go|lives?|belongs?) (?P<what>(?!\w+ly\b|also\b|just\b|still\b)[^,]{1,40}?) not "
    r"(?=\S+$|(?:in|on|at|the|a|an) )",
    re.I,
)
_EVENT = re.compile(
    r"\b(?:now|still|again|yesterday|today|just|currently|was|were|did|failed|fails|failing|broken|errors?|crashed"
    r"|crashes|missing|wrong|blank|empty|gone|worked|tried|attached|though|then$|seems?|doesn't seem"
    r"|looks like|(?:is|are) being|too (?:\w+ly )?[a-z]+(?! as)|is cause|going to be|we're counting"
    r"|shouldn't have those"
    r"|(?:is|are)(?:n't| not)? (?:good|great|fine|okay|valid|ideal|defined|backwards)|a hallucination"
    r"|the whole point|(?:don't|do not|can't|cannot) see|doesn't say|comment says|at line|on line \d+)\b",
    re.I,
)
"""Words about an event or a passing state: such a sentence is no rule."""


def declared(clause: str) -> str | None:
    """A sentence that says how things are; `should be` becomes `is`."""
    if _VAGUE.match(clause) or not 3 <= len(clause.split()) <= 30:
        return None
    must = _MUST_BE.match(clause)
    if _EVENT.search(clause) and not _CONTRAST.search(clause):
        return None
    if must and is_thing(must["subject"]) and "," not in must["subject"]:
        return grammar.impersonal(f"{must['subject']} {grammar.be(must['subject'])} {must['rest']}")
    finite = _FINITE.search(clause)
    if finite is None or len(clause[: finite.start()].split()) > 8 or not _SUBJECT.match(clause):
        return None
    if "," in clause[: finite.start()] or verbs.is_verb(clause.split()[0]):
        return None
    return _should(clause) or grammar.impersonal(_BARE_CONTRAST.sub(r"\g<be> \g<what>, not ", clause))


def _should(clause: str) -> str | None:
    """`The helper returns ISO strings` from `the helper should return ISO strings`."""
    match = _SHOULD.match(clause)
    if match is None or not verbs.is_verb(match["verb"]) or not is_thing(match["subject"]):
        return None
    subject, verb = match["subject"], match["verb"].lower()
    if match["not"]:
        does = f"{'do' if grammar.is_plural(subject) else 'does'} not {verb}"
    else:
        does = verb if grammar.is_plural(subject) else verbs.third(verb)
    return grammar.impersonal(f"{subject} {does}{match['rest']}")


def is_obligation(text: str) -> bool:
    """Whether a clause says how something must be."""
    return _MUST_BE.match(text) is not None
