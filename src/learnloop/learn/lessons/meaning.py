"""What a statement or remark is about, read from its words: what lessons are compared by. Pure.

A meaning has terms and habits. A term is a distinctive word without ending, or the thing that a word names,
with a sign: asked for, ruled out, or only spoken of (in a complaint or question). A habit is something that
people ask for in many wordings, named by the words that occur together (`concepts.py`).
"""

import re
from collections.abc import Iterator, Set
from functools import lru_cache
from typing import NamedTuple

from learnloop.learn.language import lexicon
from learnloop.learn.lessons import concepts

SHORT = 120
"""Characters of a text whose sentences are about one thing."""
LONGEST = 600
"""Characters that are read: what a lesson says stands at its beginning."""
_WORD = re.compile(r"[^\W_]+(?:[._/+'-][^\W_]+)*|\.[a-z]\w+|--?[a-z][\w-]*|[,;:()!?—–]|\.(?=\s|$)", re.U)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_MARKED = re.compile(r"[\d_./+@]")
_PHRASE = re.compile(
    r"(?<!\w)(?:" + "|".join(sorted(map(re.escape, concepts.PHRASES), key=len, reverse=True)) + r")(?!\w)"
)
_BREAKS = frozenset(",;:()!?—–.") | {"but", "instead", "sondern", "aber", "mais", "sino"}
_BEGINS = frozenset(("use", "nimm", "it's", "utilise"))
_DENIALS = lexicon.listed(
    """never not no without avoid avoids avoided avoiding stop stops stopped quit don't doesn't mustn't
    shouldn't can't cannot won't isn't aren't nothing neither nor unwanted forbidden dont over
    nie niemals nicht kein keine keinen keiner ohne jamais pas sans nunca sin"""
)
_TURNING = lexicon.listed("isn't aren't mustn't shouldn't unwanted forbidden avoided")
_AUXILIARIES = lexicon.listed("is are be must should may can")
_TURNS = lexicon.listed("before until unless without bevor bis ohne")
_PLACES = lexicon.listed("on in for from at to with into onto when while if im bei für auf")
_LACKED = lexicon.listed("did has have had was were there there's didn't hasn't haven't")
_LACKS = lexicon.listed(
    """forget forgets forgetting forgot forgotten miss missed misses missing lack lacks lacking omit omitted
    skip skipped skipping overlooked neglected vergessen vergisst vergiss fehlt fehlen oublié where's where
    didn't hasn't haven't wasn't weren't hadn't"""
)
_COMPLAINS = lexicon.listed("again still wieder keeps")
_WHYS = (["why"], ["warum"], ["wieso"], ["pourquoi"])
_ORDERED = lexicon.listed("should must can may need have shall will don't")
_LAST = re.compile(r"[/.]([a-z]{4,})$")
_NO_OPENING = lexicon.listed("i you it that that's this the we he use please just again dude man stop don't")
_ENDINGS = (
    ("ations", "at"), ("ation", "at"), ("ings", ""), ("ing", ""), ("ied", "y"), ("ies", "y"), ("ed", ""),
    ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"), ("s", ""), ("ly", ""),
)  # fmt: skip
"""Endings, and what stands in their place."""
_SIGNS = {1: "+", -1: "-", 0: "~"}
NUMBER = "number"
_Parts = dict[str, set[str]]


class Meaning(NamedTuple):
    """What a text is about."""

    signs: dict[str, int]
    """Terms: 1 asked for, -1 ruled out, 0 only spoken of."""
    habits: dict[str, frozenset[str]]
    """Habits, each with the terms that name it."""

    @property
    def handles(self) -> list[str]:
        """What finds it: habits and distinctive terms; all terms where none is distinctive."""
        strong = [term for term in self.signs if weight(term) >= 1]
        return [f"@{habit}" for habit in self.habits] + (strong or list(self.signs))

    @property
    def wants(self) -> dict[str, set[str]]:
        """Things and numbers asked for, by the purpose that they compete for with others."""
        return self._by_purpose(1)

    @property
    def rules_out(self) -> dict[str, set[str]]:
        """Things and numbers ruled out, by purpose."""
        return self._by_purpose(-1)

    def _by_purpose(self, sign: int) -> dict[str, set[str]]:
        things: dict[str, set[str]] = {}
        for term, its_sign in self.signs.items():
            purpose = purpose_of(term) if its_sign == sign else ""
            if purpose:
                things.setdefault(purpose, set()).add(term)
        return things

    @property
    def normal(self) -> str:
        """The meaning as one line, which `parse` reads."""
        terms = [f"{term}={_SIGNS[sign]}" for term, sign in self.signs.items()]
        named = [f"@{habit}={','.join(sorted(words))}" for habit, words in self.habits.items()]
        return " ".join(sorted((*terms, *named)))


@lru_cache(maxsize=4096)
def parse(normal: str) -> Meaning:
    """The meaning of its line."""
    signs: dict[str, int] = {}
    habits: dict[str, frozenset[str]] = {}
    for item in normal.split():
        name, _, value = item.rpartition("=")
        if name.startswith("@"):
            habits[name[1:]] = frozenset(filter(None, value.split(",")))
        elif name:
            signs[name] = {"+": 1, "-": -1}.get(value, 0)
    return Meaning(signs, habits)


@lru_cache(maxsize=4096)
def read(text: str) -> Meaning:
    """The meaning of a text. A habit may be named across the sentences of a short one."""
    signs: dict[str, int] = {}
    habits: dict[str, frozenset[str]] = {}
    for terms, parts in _sentences(text):
        for term, sign in terms:
            signs[term] = sign if signs.get(term, sign) == sign else 0
        habits |= _habits(parts, dict(terms).keys() or signs.keys())
    return Meaning(signs, habits)


_ASIDE = 0.9
"""A text whose other words weigh more says something about the habit that it names."""


def habits_of(text: str) -> frozenset[str]:
    """The habits that a text asks for, if it is short and about little else."""
    if len(text) > SHORT:
        return frozenset()
    signs, habits = read(text)
    named = frozenset().union(*habits.values())
    is_aside = sum(min(weight(term), 1.0) for term in signs.keys() - named) > _ASIDE
    return frozenset() if is_aside else frozenset(habits)


def matters(text: str) -> frozenset[str]:
    """The matters that a text names, each in words."""
    every = [parts.keys() for _, parts in _sentences(text)]
    return frozenset(matter for matter, needed in concepts.MATTERS if any(needed <= names for names in every))


def _sentences(text: str) -> Iterator[tuple[list[tuple[str, int]], _Parts]]:
    """The terms with signs and the parts of each sentence, of a short text of the whole too."""
    every: _Parts = {}
    for sentence in _SENTENCE.split(text[:LONGEST].lower().replace("’", "'")):
        terms, parts = _read_sentence(sentence)
        yield terms, parts
        for name, words in parts.items():
            every[name] = every.get(name, set()) | words
    if len(text) <= SHORT:
        yield [], every


@lru_cache(maxsize=20_000)
def weight(term: str) -> float:
    """How much a term distinguishes what a text is about: much if it looks like a name, little if usual."""
    if _MARKED.search(term):
        return 1.5
    return 0.25 if term in _USUAL or len(term) < 3 else 1.0


def _read_sentence(sentence: str) -> tuple[list[tuple[str, int]], _Parts]:
    """The terms of a sentence with signs, and its things and parts with the terms of each."""
    words = _WORD.findall(_PHRASE.sub(lambda match: concepts.PHRASES[match[0]], sentence))
    terms: list[tuple[str, int]] = []
    parts: _Parts = {}
    for clause in _clauses(words):
        terms += _read_clause(clause, parts, asks="?" in words)
    return terms, parts


def _clauses(words: list[str]) -> Iterator[list[str]]:
    clause: list[str] = []
    for word in words:
        begins = word in _BEGINS and not _DENIALS.isdisjoint(clause) and clause[-1] not in _DENIALS
        if word in _BREAKS or begins:
            yield clause
            clause = []
        if word not in _BREAKS:
            clause.append(word)
    yield clause


def _read_clause(words: list[str], parts: _Parts, *, asks: bool) -> list[tuple[str, int]]:
    terms: list[tuple[str, int]] = []
    usual = ruled_out = 0
    if asks or not _COMPLAINS.isdisjoint(words) or words[:1] in _WHYS:
        parts.setdefault("complaint", set())
    elif words[:1] != ["you"] or not _ORDERED.isdisjoint(words[1:2]):  # what you did is no order
        usual, ruled_out = 1, -1
    sign, denied = usual, False
    for at, word in enumerate(words):
        before = words[max(0, at - 3) : at]
        if word in _LACKS or (word in _DENIALS and not _LACKED.isdisjoint(before)):
            parts.setdefault("lacks", set())
            sign = 1
        elif word in _TURNS and denied:  # never this before that, not this without that
            sign, denied = 1, False
            _name(word, parts)
        elif word in _DENIALS:
            if word == "no" and (at + 1 == len(words) or words[at + 1] in _NO_OPENING):
                continue
            parts.setdefault("not", set())
            sign, denied = ruled_out, True
            if word in _TURNING or not _AUXILIARIES.isdisjoint(before):  # secrets are never logged
                terms = [(term, sign) for term, _ in terms]
        elif word in _PLACES and denied:  # never this in that: that is only where
            sign = 0
        else:
            terms += ((term, sign) for term in _names(word, parts))
    return terms


def _names(word: str, parts: _Parts) -> Iterator[str]:
    """The terms of a word: of a compound its pieces, of a path also its last piece."""
    pieces = [word]
    if word not in concepts.NAMES:
        if word.replace("-", "").isalpha():
            pieces = word.split("-")
        elif last := _LAST.search(word):
            pieces.append(last[1])
    for piece in pieces:
        if is_term(piece, term := _name(piece, parts)):
            yield term


def _name(word: str, parts: _Parts) -> str:
    """The term of a word, after its parts are noted."""
    term = term_of(word)
    for part in (term, *concepts.PARTS.get(word, ())):
        parts.setdefault(part, set()).add(term)
    return term


def _habits(parts: _Parts, terms: Set[str]) -> dict[str, frozenset[str]]:
    """The habits that things and parts name; planning first is one only where no other term names an act."""
    habits: dict[str, frozenset[str]] = {}
    names = parts.keys()
    for habit, needed in concepts.HABITS:
        if needed <= names and habit not in habits:
            habits[habit] = frozenset().union(*(parts[name] for name in needed))
    if not terms <= frozenset().union(*(parts[name] for name in concepts.PLANNING & names)):
        habits.pop("plan-first", None)
    return habits


def is_term(word: str, term: str) -> bool:
    """Whether a word says something about the matter."""
    if purpose_of(term):
        return True
    return len(term) > 1 and "'" not in word and word not in _SAYS_NOTHING and term not in _SAYS_NOTHING


@lru_cache(maxsize=20_000)
def term_of(word: str) -> str:
    """What a word in lower case names: its thing, else the word without its ending."""
    return concepts.SYNONYMS.get(word) or _stem(word)


@lru_cache(maxsize=20_000)
def purpose_of(term: str) -> str:
    """The purpose that a thing or number competes for with others; empty for any other term."""
    return NUMBER if term in concepts.NUMBERS or term.isdigit() else _RIVALS.get(term, "")


def _stem(word: str) -> str:
    if not word.isalpha() or len(word) < 4:
        return word
    cuts = ((word.removesuffix(ending), instead) for ending, instead in _ENDINGS)
    whole = word, ""
    stem, instead = next((cut for cut in cuts if cut[0] != word and _is_stem(*cut, word)), whole)
    if stem != word and len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        stem = stem[:-1]  # committed, running
    stem += instead
    return stem.removesuffix("e") if len(stem) > 3 else stem


def _is_stem(stem: str, instead: str, word: str) -> bool:
    is_plain_s = not instead and len(stem) + 1 == len(word)
    return len(stem) >= 3 and not (is_plain_s and stem.endswith(("s", "u", "i")))


_SAYS_NOTHING = (
    lexicon.COMMON | lexicon.TALKING | lexicon.FOREIGN | lexicon.FILLER | lexicon.PRONOUNS | lexicon.MODAL
    | lexicon.listed(
        """already also anyway around basically bit dude everytime future generally got going gonna hi hello
        instead kinda lot maybe min okay only quite really said same stuff such thing things think totally try
        trying uh uhh um umm usual various via wanna way bevor dann etwas mich mir"""
    )
) - lexicon.listed("ask run show write")  # fmt: skip
_ALSO_USUAL = lexicon.listed(
    """able actual appear ask available build clear continue current different docs exact expect fail feel
    help idea include info instruction name pass present press proper review run seem show simple single
    success talk type work write"""
)
_RIVALS = {term_of(word): purpose for word, purpose in concepts.RIVALS.items()}
_USUAL = frozenset(map(term_of, lexicon.GENERIC | lexicon.PLAIN_ACTS | _ALSO_USUAL))
