"""Makes a statement from a verb and its object: `the formatter is run`, or `the agent asks`."""

import re

from learnloop.learn.language import grammar, lexicon, verbs

_NO_NOUN = re.compile(r"(?:to|that|it|this|what|when|if|how|whether|why|where)\s")
_ASIDE = re.compile(r",\s(?=(?:we|it|they|that|this|there|because|the|i)\s)", re.I)
_ASKED = re.compile(r",\s(?:why|what|how come)\s", re.I)
_LIES_IN = re.compile(r"\s(?:in|from)\s(?:\ue000\d+\ue001|\S*[./]\S*\w|\S+/)", re.I)
_INSIDE = re.compile(r"\s(?:under|in|inside|outside|from)\s[^,]+$", re.I)
_FORBIDS = frozenset(("don't", "dont", "do", "never", "always"))
_FOR_ME = re.compile(r"(?:me|us)\s(?P<what>.+)$", re.I)
_TO_ME = frozenset(("give", "send", "show"))
_SAID_BEFORE = re.compile(
    r"(?:the others?|the rest|others|its use|their|his|her)\b|(?:off|on|up|out|down|back|over|away|forward)$"
)
_AS_WE_DO = re.compile(
    r"\s(?:like|as|the way) (?:we (?:always |usually )?do(?P<where>\s[\w\s]+)"
    r"|(?P<all>everywhere(?: else)?))$",
    re.I,
)
_BACK = {"it": "it", "that": "it", "this": "it", "them": "they", "those": "they", "these": "they"}


def is_thing(phrase: str) -> bool:
    """Whether a phrase can be a noun phrase: not a pronoun alone, not a clause."""
    low = phrase.strip().lower()
    if (
        not low
        or _SAID_BEFORE.match(low)
        or low in lexicon.PRONOUNS
        or low in lexicon.ADVERBS
        or len(low.split()) > 12
        or _NO_NOUN.match(low)
    ):
        return False
    return low.split()[-1] not in lexicon.DANGLING


def stands_for(text: str) -> bool:
    """Whether a text begins with a word that refers to something named before."""
    return text.partition(" ")[0].lower() in _BACK


def is_doing(phrase: str) -> bool:
    """Whether a phrase begins with what somebody does: `calling pytest directly`."""
    return verbs.from_gerund(phrase.split()[0]) is not None


def passive(verb: str, rest: str, adverb: str = "", negated: bool = False, back: bool = False) -> str | None:
    """`X is [adverb] done …`; None where the verb has no clear object.

    With `back` the object may refer to something named before: `don't move it`.
    """
    rest = _ASKED.split(rest)[0]
    if not rest or verbs.takes_no_object(verb) or verb.lower() in lexicon.NOT_ACTS:
        return None
    if for_me := _FOR_ME.match(rest):
        statement = passive(verb, for_me["what"], adverb, negated, back) if verb.lower() in _TO_ME else None
        done = verbs.participle(verb)
        return statement.replace(f" {done}", f" {done} to the user", 1) if statement else None
    if as_we_do := _AS_WE_DO.search(rest):
        statement = passive(verb, rest[: as_we_do.start()], adverb, negated, back)
        return f"{statement} as {(as_we_do['where'] or as_we_do['all']).strip()}" if statement else None
    thing, after = grammar.object_of(rest)
    if grammar.starts_aside(rest) or more_orders(after):
        return None
    if back and thing.lower() in _BACK:
        thing = _BACK[thing.lower()]
        are = "are" if thing == "they" else "is"
        return grammar.impersonal(f"{thing} {are}{' not' * negated} {adverb}{verbs.participle(verb)}{after}")
    if not (is_thing(thing) or (thing.lower() == "any" and verb.lower() == "use")) or _second_order(thing):
        return None
    after = _ASIDE.split(after)[0]
    lies = _LIES_IN.match(after) if thing.lower().startswith("the ") else None
    if lies and verb.lower() in ("use", "reuse", "extend", "call", "touch"):
        thing, after = thing + lies[0], after[lies.end() :]
    elif thing.lower() in ("files", "the files", "code", "the code") and _INSIDE.match(after):
        thing, after = thing + after, ""
    thing, complement = _complement(verb.lower(), thing)
    is_ruled_out = negated or adverb == "never "
    if is_ruled_out:
        thing = re.sub(r"^(?:any|all the)\s", "", thing, flags=re.I)
    if is_ruled_out and re.search(r"\beverywhere\b|^all\s", f"{thing}{after}", re.I):
        return None
    return grammar.impersonal(
        f"{thing} {grammar.be(thing, negated)} {adverb}{verbs.participle(verb)}{complement}{after}"
    )


def _complement(verb: str, thing: str) -> tuple[str, str]:
    """Split off an adjective that follows its object, as in `the tone informal`: it goes behind the verb."""
    head, _, last = thing.rpartition(" ")
    if verb in ("name", "call") and head and not last.isalpha():
        return head, f" {last}"
    is_said = head and last.lower() in lexicon.ADJECTIVES and (" " in head or last.lower() == "alone")
    return (head, f" {last}") if is_said else (thing, "")


def _second_order(thing: str) -> bool:
    """Whether a second order hangs on the object: `the formatter and commit the result`."""
    joined = re.search(r"\s(?:and|then|or)\s(?:then\s)?([a-z-]+)\s", thing, re.I)
    return joined is not None and verbs.is_verb(joined[1])


def more_orders(after: str) -> bool:
    """Whether another order follows the object: `in library code, use logging`."""
    following = re.search(r",\s(?:just\s|please\s|then\s|and\s)?([a-z'-]+)\s", after, re.I)
    return after.count(",") > 1 or (
        following is not None and (verbs.is_verb(following[1]) or following[1].lower() in _FORBIDS)
    )


def agent(verb: str, rest: str, adverb: str) -> str:
    """`The agent always asks before …`, for verbs without an object."""
    also = re.search(r"\sand (?P<verb>[a-z-]+)\s", rest)
    if also and verbs.is_verb(also["verb"]):
        rest = rest[: also.start("verb")] + verbs.third(also["verb"]) + rest[also.end("verb") :]
    return _of_agent(f"{adverb}{verbs.third(verb)}", _ASIDE.split(rest)[0])


def agent_not(verb: str, rest: str) -> str | None:
    """`The agent does not push to main`, for verbs without an object of their own."""
    low = rest.lower().split()
    without_object = verbs.takes_no_object(verb) or grammar.starts_aside(rest)
    if not low or not without_object or more_orders(f" {rest}") or verb.lower() in lexicon.NOT_ACTS:
        return None
    if not lexicon.PRONOUNS.isdisjoint(low) or verb.lower() in lexicon.NO_RULES:
        return None
    return _of_agent(f"does not {verb.lower()}", rest)


def _of_agent(does: str, rest: str) -> str:
    statement = grammar.impersonal(f"you_ {does} {rest}".strip())
    return statement.replace("the agent", "it").replace("you_", "the agent")
