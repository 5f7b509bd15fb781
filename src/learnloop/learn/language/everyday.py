"""Everyday words: in so many prompts and documents of any project that none identifies a subject alone. Pure.

The table holds base forms that stand in one of fifty documentation texts, or in prompts of several projects.
"""

from functools import lru_cache

from learnloop.learn.language import lexicon

_ENDINGS = ("s", "es", "ed", "d", "ing", "er", "r", "ly", "y", "ness", "n", "en")


@lru_cache(maxsize=4096)
def is_everyday(word: str) -> bool:
    """Whether a word in lower case is an everyday one, in any of its forms."""
    return not _TABLE.isdisjoint(bases(word))


def bases(word: str) -> set[str]:
    """The word, and what it may be a form of: `committing` → commit, `stories` → story."""
    stems = {
        word[: -len(ending)] for ending in _ENDINGS if word.endswith(ending) and len(word) > len(ending) + 2
    }
    undoubled = {stem[:-1] for stem in stems if stem[-1] == stem[-2]}
    whole = {f"{stem}e" for stem in stems}
    y_forms = {f"{word[:-3]}y"} if word.endswith(("ies", "ied")) else set()
    return {word} | stems | undoubled | whole | y_forms


_EVERYDAY = lexicon.words("everyday.everyday")
_TABLE = _EVERYDAY | lexicon.COMMON | lexicon.TALKING | lexicon.FOREIGN | lexicon.PLAIN_ACTS | lexicon.GENERIC
