"""The words of an instruction for a change of files: `with every change in src/`. Pure."""

import re

from learnloop.learn.language import lexicon
from learnloop.learn.lessons import named_files
from learnloop.models.due_moment import ANY_SOURCE

_CHANGES = r"(?:chang(?:e[sd]?|ing)|edit(?:s|ed|ing)?|modif(?:y|ies|ied|ying|ications?)|updat(?:e[sd]?|ing)"
_CHANGES += r"|touch(?:es|ed|ing)?|alter(?:s|ed|ing)?|rewr(?:ites?|ote|itten|iting))"
_END = (
    r"(?=\W*$|[,;:]\s|\.\s|\s[-–—]+\s|\s(?:then\s|please\s|also\s|always\s|you\s|we\s|and\s|it\s)*"
    r"(?:must|should|needs?|requires?|gets?|has to|have to|goes|comes|is followed|re-?run|run"
    r"|re-?generate|re-?build|execute|call|add|write|extend|enter)\b)"
)
_WHENEVER = r"when(?:ever)?|every time|each time|any time|as soon as|after"
_OPENINGS = (
    *(
        re.compile(form + _END, re.I)
        for form in (
            r"\b(?:with|after|on|in|for|at|to)? ?(?:every|each|any|all) (?P<which>(?:\w+ ){0,2}?)"
            rf"{_CHANGES}"
            r"(?: (?:you|we) make)?(?: (?:in|to|of|under|inside|within|on|made to) (?P<what>.+?))??",
            rf"^(?:(?:any|all|a) )?{_CHANGES} (?:in|to|of|under|inside|within) (?P<what>.+?)",
            rf"\b(?:{_WHENEVER}|if|once) (?:you|we|i|somebody|someone)"
            rf"(?:'ve|'re| have| are)? {_CHANGES} (?P<what>.+?)",
            rf"\b(?:after|when(?:ever)?|on) {_CHANGES} (?P<what>.+?)",
            rf"\b(?:{_WHENEVER}|if) (?P<what>(?:the )?[\w./*-]+(?: \w+)?)"
            r" (?:(?:is|are|gets|was|were|has been|have been) )?"
            r"(?:changed?|changes|edited|modified|updated|touched)",
            rf"\b(?:{_WHENEVER}) (?:(?:you|we) )?(?:write|writing|wrote|(?:have )?written)"
            r" (?P<what>(?:any |some |new |the )?(?:source )?code)",
            rf"\bafter (?P<what>(?:any |all |the )?(?:source )?code) {_CHANGES}",
        )
    ),
    re.compile(
        r"\bnever (?:change|edit|touch|modify) (?P<what>\S+(?: (?:folder|directory|files?))?) without\b", re.I
    ),
)
"""The words for a change; `what` is changed."""
_SOURCE = re.compile(
    r"(?:(?:any|some|new|all|the|our|your|a|of) )*(?:source )?"
    r"(?:code(?: files?| ?base)?|source(?: files?)?|files?)",
    re.I,
)
_HARMLESS = lexicon.listed(
    """a an any all the our your this some file files folder folders directory directories dir code source in
    of under inside to or and one something anything module package existing"""
)
_NAMES = re.compile(r"[\w./*@-]*[/.][\w./*@-]*|[\w'-]+")


def opening(text: str) -> re.Match[str] | None:
    """The words of a text that speak of a change."""
    return next((match for form in _OPENINGS if (match := form.search(text))), None)


def changed_files(words: re.Match[str]) -> tuple[str, ...]:
    """The files whose change the words are about; none where they say more of it than where it is."""
    given = words.groupdict()
    which = set((given.get("which") or "").lower().split())
    what = (given.get("what") or "").strip(" .`")
    if which - {"code", "source", "single", "new", "file", "last"}:
        return ()
    if not what or _SOURCE.fullmatch(what):
        return (ANY_SOURCE,)
    if what.rstrip("/") in named_files.ROOTS:
        return (f"{what.rstrip('/')}/**",)
    bare = what.replace("`", "")
    patterns = named_files.named_patterns(bare) or named_files.things(bare, ())
    languages = () if patterns else tuple(f"**/*.{ending}" for ending in named_files.of_languages(bare, ()))
    return tuple(patterns or languages) if _names_only(bare, patterns, languages) else ()


def _names_only(what: str, patterns: list[str], languages: tuple[str, ...]) -> bool:
    """Whether words name files, and nothing of what is in them."""
    rest = [word.lower() for word in _NAMES.findall(what) if not named_files.named_patterns(word)]
    others = [word for word in rest if word.strip("/.") not in _HARMLESS]
    places = "".join(f"/{pattern}/" for pattern in patterns).lower()
    return all(
        f"/{word}/" in places or named_files.things(word, ()) or (languages and word in lexicon.LANGUAGES)
        for word in others
    )  # fmt: skip
