"""Verbs that people use with agents, and the forms of them that a statement needs."""

from learnloop.learn.language import lexicon

_IRREGULAR = {
    "be": ("been", "is"), "begin": ("begun", "begins"), "break": ("broken", "breaks"),
    "bring": ("brought", "brings"),
    "build": ("built", "builds"), "catch": ("caught", "catches"), "choose": ("chosen", "chooses"),
    "cut": ("cut", "cuts"), "do": ("done", "does"), "draw": ("drawn", "draws"), "feed": ("fed", "feeds"),
    "find": ("found", "finds"), "forget": ("forgotten", "forgets"), "freeze": ("frozen", "freezes"),
    "get": ("got", "gets"), "give": ("given", "gives"), "go": ("gone", "goes"), "hand": ("handed", "hands"),
    "have": ("had", "has"), "hold": ("held", "holds"), "keep": ("kept", "keeps"), "lay": ("laid", "lays"),
    "leave": ("left", "leaves"), "let": ("let", "lets"), "make": ("made", "makes"), "mean": ("meant",
    "means"),
    "overwrite": ("overwritten", "overwrites"), "put": ("put", "puts"), "read": ("read", "reads"),
    "rebuild": ("rebuilt", "rebuilds"), "redo": ("redone", "redoes"), "reset": ("reset", "resets"),
    "rerun": ("rerun", "reruns"), "rewrite": ("rewritten", "rewrites"), "run": ("run", "runs"),
    "say": ("said", "says"), "see": ("seen", "sees"), "send": ("sent", "sends"), "set": ("set", "sets"),
    "shut": ("shut", "shuts"), "speak": ("spoken", "speaks"), "spell": ("spelled", "spells"),
    "split": ("split", "splits"), "stick": ("stuck", "sticks"), "take": ("taken", "takes"),
    "tell": ("told", "tells"), "think": ("thought", "thinks"), "throw": ("thrown", "throws"),
    "undo": ("undone", "undoes"), "unset": ("unset", "unsets"), "write": ("written", "writes"),
    "cast": ("cast", "casts"), "spawn": ("spawned", "spawns"), "hide": ("hidden", "hides"),
    "show": ("shown", "shows"), "swear": ("sworn", "swears"), "shrink": ("shrunk", "shrinks"),
}  # fmt: skip
_VOWELS = "aeiou"


def _doubled(base: str) -> str:
    return base + base[-1] if base in lexicon.DOUBLING_VERBS else base


def _past(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ied"
    return _doubled(base) + "ed"


def _third(base: str) -> str:
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return base + "es"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return base[:-1] + "ies"
    return base + "s"


def _gerund(base: str) -> str:
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")) and base != "be":
        return base[:-1] + "ing"
    return _doubled(base) + "ing"


_PARTICIPLE = {base: _past(base) for base in lexicon.REGULAR_VERBS} | {
    base: forms[0] for base, forms in _IRREGULAR.items()
}
_THIRD = {base: _third(base) for base in lexicon.REGULAR_VERBS} | {
    base: forms[1] for base, forms in _IRREGULAR.items()
}
_THIRDS = frozenset(_THIRD.values())
_FROM_GERUND = {_gerund(base): base for base in _PARTICIPLE}
_FROM_THIRD = {third: base for base, third in _THIRD.items()}
_FROM_PARTICIPLE = {done: base for base, done in _PARTICIPLE.items()}


def is_verb(word: str) -> bool:
    """Whether a word is the base form of a verb known here, perhaps behind another word: `force-push`."""
    return word.lower() in _PARTICIPLE or word.lower().rpartition("-")[2] in _PARTICIPLE


def may_be_verb(word: str) -> bool:
    """Whether a word behind `always` or `never` can be the base form of a verb, known or not."""
    low = word.lower()
    if is_verb(low):
        return True
    no_base = low.endswith(("ing", "ed", "ly")) or (low.endswith("s") and not low.endswith("ss"))
    return len(low) > 3 and not no_base and low not in lexicon.NO_VERBS


def participle(base: str) -> str:
    """`written` for `write`."""
    before, last = _parts(base)
    return before + _PARTICIPLE[last]


def third(base: str) -> str:
    """`writes` for `write`; unknown words by the regular rule."""
    before, last = _parts(base)
    return before + (_THIRD.get(last) or _third(last))


def _parts(base: str) -> tuple[str, str]:
    """The part of a compound before its verb, and the verb."""
    low = base.lower()
    if low in _PARTICIPLE:
        return "", low
    before, hyphen, last = low.rpartition("-")
    return before + hyphen, last


def is_third(word: str) -> bool:
    """Whether a word is the third person of a verb known here."""
    return word.lower() in _THIRDS


def from_gerund(word: str) -> str | None:
    """`write` for `writing`."""
    return _FROM_GERUND.get(word.lower())


def from_participle(word: str) -> str | None:
    """`write` for `written`."""
    before, _, last = word.lower().rpartition("-")
    base = _FROM_PARTICIPLE.get(last)
    return f"{before}-{base}" if base and before else base


def base_of(word: str) -> str | None:
    """`write` for `written` or `writes`."""
    before, _, last = word.lower().rpartition("-")
    base = _FROM_PARTICIPLE.get(last) or _FROM_THIRD.get(last)
    return f"{before}-{base}" if base and before else base


def takes_no_object(base: str) -> bool:
    """Whether a verb rarely has an object of its own, so that no passive is made of it."""
    return base.lower() in lexicon.INTRANSITIVE_VERBS
