"""What a statement or remark is about, read from its words: what lessons are compared by. Pure.

A term is the stem of a word that says something, or the thing that the word is a synonym of. Its sign says
whether it is asked for, ruled out, or only spoken of (`do not push without asking`: push). A
fingerprint is the words without form and filler, and the scope.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from learnloop.learn.hear import openers
from learnloop.learn.language import lexicon

LONGEST = 600
"""Characters that are read: what a lesson says stands at its beginning."""
NUMBER = "number"

_SYNONYMS = "\n".join(lexicon.table("meaning_synonyms"))
_RIVALS = "\n".join(lexicon.table("meaning_rivals"))
_PHRASES = {
    "instead of": "not", "rather than": "not", "statt": "not", "anstatt": "not", "en lugar de": "not",
    "en vez de": "not", "au lieu de": "not", "prior to": "before", "pull request": "pr",
    "pull requests": "pr", "change log": "changelog", "release notes": "changelog", "main branch": "main",
    "master branch": "main", "snake case": "snake_case", "camel case": "camelcase", "back up": "backup",
}  # fmt: skip
"""Several words for one."""


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SAYS_NOTHING = _listed(lexicon.table("meaning_says_nothing"))
_PLAIN = """add change check create edit entry example file finish first fix good help line look name new
own part place project read run show stage start update work write"""
_DENIALS = _listed("""
never not no without avoid avoids avoided avoiding stop stops stopped quit don't doesn't mustn't shouldn't
can't cannot won't isn't aren't nothing nichts neither nor forbidden dont over nie niemals nicht kein keine
keinen keiner ohne jamais pas sans nunca sin не ні ніколи без
""")
_BACKWARDS = _listed("mustn't shouldn't can't cannot isn't aren't forbidden nie niemals nicht nichts")
_AUXILIARIES = _listed("is are be must should may can")
"""Behind one of these, and as one of the words above, a denial rules out what stands before it too."""
_TURNS = _listed("without until before unless ohne bevor bis sans avant sin antes без до")
"""A denial ends before one of these."""
_UNLESS = _listed("without unless ohne sans sin без")
"""What stands before one of these is ruled out only as long as what follows is not there."""
_PLACES = _listed("on in for from at to with into onto im bei für auf en à")
"""Behind one of these a denial speaks of where it holds."""
_COMPLAINS = _listed("? why again still warum wieder schon pourquoi encore otra знову")
"""What a clause with one of these speaks of is neither asked for nor ruled out."""
_BREAKS = frozenset(",;:()!?—–.")
_WORD = re.compile(
    r"[^\W_]+(?:[._/+'@-][^\W_]+)*|[^\W\d]\w*|\.[a-z]\w+|--?[a-z][\w-]*|[,;:()!?—–]|\.(?=\s|$)", re.U
)
_MARKED = re.compile(r"[\d_./+@-]")
_ENDINGS = (
    ("ations", "at"), ("ation", "at"), ("ings", ""), ("ing", ""), ("ied", "y"), ("ies", "y"), ("ed", ""),
    ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x"), ("s", ""), ("ly", ""),
)  # fmt: skip
"""Endings, and what stands in their place."""
_SIGNS = {1: "+", -1: "-", 0: "~"}
_SYNONYM = {word: line.split()[0] for line in _SYNONYMS.strip().split("\n") for word in line.split()}
_RIVAL = {
    word: purpose
    for purpose, _, words in (line.partition(": ") for line in _RIVALS.strip().split("\n"))
    for word in words.split()
}
_PHRASE = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(_PHRASES, key=len, reverse=True))})(?!\w)")


class Meaning(NamedTuple):
    """What a text is about."""

    signs: dict[str, int]
    """Terms: 1 asked for, -1 ruled out, 0 only spoken of."""

    @property
    def handles(self) -> list[str]:
        """The terms that find it: the distinctive ones; all where none is distinctive."""
        return [term for term in self.signs if weight(term) >= 1] or list(self.signs)

    @property
    def normal(self) -> str:
        """The meaning as one line, which `parse` reads."""
        return " ".join(sorted(f"{term}={_SIGNS[sign]}" for term, sign in self.signs.items()))


@lru_cache(maxsize=4096)
def parse(normal: str) -> Meaning:
    """The meaning of its line; items of another form are left out."""
    pairs = (item.rpartition("=") for item in normal.split() if not item.startswith("@"))
    return Meaning({name: {"+": 1, "-": -1}.get(value, 0) for name, _, value in pairs if name})


@lru_cache(maxsize=4096)
def read(text: str) -> Meaning:
    """The meaning of a text."""
    low = text[:LONGEST].lower().replace("’", "'").replace("`", " ")
    words = _WORD.findall(_PHRASE.sub(lambda match: _PHRASES[match[0]], low))
    signs: dict[str, int] = {}
    for clause in _clauses(words):
        is_order = _COMPLAINS.isdisjoint(clause)
        for term, sign in _read_clause(clause):
            sign *= is_order
            signs[term] = sign if signs.get(term, sign) == sign else 0
    return Meaning(signs)


def _clauses(words: list[str]) -> Iterator[list[str]]:
    clause: list[str] = []
    for word in words:
        clause.append(word)
        if word in _BREAKS:
            yield clause
            clause = []
    yield clause


def _read_clause(words: list[str]) -> Iterator[tuple[str, int]]:
    """The terms of a clause with signs; a denial holds until the clause ends or turns."""
    sign, terms = 1, list[str]()
    for before, word in zip(("", *words), words, strict=False):
        if word in _TURNS and sign < 0:
            yield from ((term, 0 if word in _UNLESS else sign) for term in terms)
            sign, terms = 1, []
        elif word in _PLACES and sign < 0:
            yield from ((term, sign) for term in terms)
            sign, terms = 0, []
        elif word in _DENIALS:
            is_backwards = word in _BACKWARDS or before in _AUXILIARIES
            yield from ((term, -1 if is_backwards else sign) for term in terms)
            sign, terms = -1, []
        elif is_term(word):
            terms.append(term_of(word))
    yield from ((term, sign) for term in terms)


def is_term(word: str) -> bool:
    """Whether a word in lower case says something about the matter."""
    return word in _SYNONYM or (
        word not in _BREAKS and len(word) > 1 and word not in _SAYS_NOTHING and word not in _TURNS
    )


@lru_cache(maxsize=20_000)
def weight(term: str) -> float:
    """How much a term distinguishes what a text is about: much if it looks like a name, little if usual."""
    if term in _RIVAL or _MARKED.search(term):
        return 1.5
    return 0.5 if term in _USUAL or len(term) < 3 else 1.0


@lru_cache(maxsize=20_000)
def purpose_of(term: str) -> str:
    """The purpose that a thing or number competes for with others; empty for any other term."""
    is_number = term.isdigit() or term in ("two", "three", "four")
    return NUMBER if is_number else _RIVAL.get(term, "")


@lru_cache(maxsize=20_000)
def term_of(word: str) -> str:
    """What a word in lower case names: its thing, else the word without its ending."""
    stem = _stem(word)
    return _SYNONYM.get(word) or _SYNONYM.get(stem, stem)


def _stem(word: str) -> str:
    if word in _RIVAL or not word.isalpha() or len(word) < 4:
        return word
    cuts = ((word.removesuffix(ending), instead) for ending, instead in _ENDINGS)
    stem, instead = next((cut for cut in cuts if cut[0] != word and _is_stem(*cut, word)), (word, ""))
    if stem != word and len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls":
        stem = stem[:-1]  # committed, running
    stem += instead
    return stem.removesuffix("e") if len(stem) > 3 else stem


def _is_stem(stem: str, instead: str, word: str) -> bool:
    is_plain_s = not instead and len(stem) + 1 == len(word)
    return len(stem) >= 3 and not (is_plain_s and stem.endswith(("s", "u", "i")))


_USUAL = frozenset(map(term_of, _PLAIN.split()))


_PRINTED_WORD = re.compile(r"[^\W_]+(?:[._/+-][^\W_]+)*|--?[\w-]+", re.U)

_NOT = re.compile(r"\b(?:instead of|rather than|never|avoided|and not|does not|do not|no longer)\b|n't\b")

_SHORT = re.compile(r"'(?:s|re|ve|ll|d|m)\b")


def normalise(statement: str) -> str:
    """The content words in lower case, without plural endings, in order; every denial becomes `not`."""
    low = _SHORT.sub(" ", _NOT.sub(" not ", statement.lower()))
    return " ".join(_singular(word) for word in _PRINTED_WORD.findall(low) if word not in lexicon.FILLER)


def _singular(word: str) -> str:
    if len(word) > 3 and word.isalpha() and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def fingerprint_of(statement: str, scope: str, project: str = "") -> str:
    """The fingerprint of a statement in its scope, 16 hex digits."""
    where = project if scope != "global" else ""
    text = f"{normalise(statement)}\0{'' if scope == 'global' else 'project'}\0{where}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


_FAULTS = frozenset(("forgot", "forgotten", "missed", "left", "broke", "touched", "stop", "keep"))
_UNIMPORTANT = (lexicon.FILLER | lexicon.TALKING) - _FAULTS


def remark_words(words: str) -> frozenset[str]:
    """The content words of a remark, without order."""
    return frozenset(word for word in normalise(openers.trimmed(words)).split() if word not in _UNIMPORTANT)


def remark_fingerprint(words: str, project: str = "") -> str:
    """The fingerprint of a remark that may recur, 16 hex digits."""
    text = " ".join(sorted(remark_words(words)))
    return hashlib.sha256(f"{text}\0{project}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
