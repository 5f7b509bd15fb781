"""How near an earlier task is to a prompt: inverse document frequency of shared words, files and age.

Everything is counted in integers, so that every reader gets the same numbers:

    words  = bits of evidence that the prompt's words give, in units of 0.4 bit, at most 200
    files  = percent of the evidence in the session's last files that the task shares
    score  = (words + files) × age      age: 100 % for the newest task of the project, 50 % for the oldest

`wire.earlier` finds the nearest of all tasks.
"""

from learnloop.wire import relevance

TYPE_CHECKING = False  # importing `typing` would double a hook's start-up
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    Record: TypeAlias = dict[str, Any]
    """A task as the index holds it."""
    Nearness: TypeAlias = tuple[int, int, int]
    """Words, files and age."""
    NearTask: TypeAlias = tuple[Record, Nearness]

THRESHOLD = 60
"""Below it no task is told by itself; set on the histories of `scripts.quality`."""
LIKE = 12
"""From here on a task counts as work like a session's first prompt; only what several share is told of it."""
EVIDENCE, MOST_WORDS, FEWEST_HITS = 40, 200, 2
_MOST_LOOKED_UP, _FIRST_WORDS, _LAST_WORDS, _READ = 40, 60, 40, 4_096
_SHORTEST, _PART, _FEWEST_SAID = 4, 3, 4
_ENDINGS = ("ings", "ing", "ed", "es", "s", "ly")
_COMMON = (
    " the a an and or of to in is it for on this that with be as are i you we my me can do does not have has"
    " had was were will would should could if so at by from but your our its let please just now what how"
    " when where which there here also then than into out up about all any some no yes s t ll ve re m d "
)
_EMPTY = (
    " ok okay yep yeah nope hmm hm uh uhh uhhh um oh ah hey hi thank great good nice perfect look see "
    "make need want think sure thing try again still right well work like know go get add fix use new change "
)
"""Terms that are in every second prompt: nothing is looked up by them."""


def terms(text: str) -> "list[str]":
    """The words that count in a text, in order: identifiers in parts, without endings and everyday words."""
    return [stem(word) for word in words(text) if f" {word} " not in _COMMON]


def words(text: str) -> "list[str]":
    """The words of a text in small letters, in order: identifiers in parts and whole."""
    if not text.islower():
        every = text.split()
        text = " ".join(
            [word if word[1:].islower() or word == word.lower() else _in_parts(word) for word in every]
        )
    return relevance.keyword_text(text).split()


def asked(prompt: str) -> "list[str]":
    """The distinct terms of a prompt to look up: own words of its beginning and its end that say something.

    Code, pictures, addresses, places of files on the machine, numbers and interjections are left out.
    """
    own = " ".join(prompt.split("```")[::2]) if "```" in prompt else prompt
    while "[Image" in own:
        before, _, after = own.partition("[Image")
        own = before + after.partition("]")[2]
    every = [word for word in dict.fromkeys(own.split()) if not _is_foreign(word)]
    if len(every) > _FIRST_WORDS + _LAST_WORDS:
        every = every[:_FIRST_WORDS] + every[-_LAST_WORDS:]
    distinct = dict.fromkeys(terms(" ".join(every)[:_READ]))
    telling = [term for term in distinct if not term.isdigit() and f" {term} " not in _EMPTY]
    return telling[:_MOST_LOOKED_UP]


def _is_foreign(word: str) -> bool:
    """Whether a word is an address, a place on the machine, or the time of a program's line."""
    is_place = word[:1] in "/~" or word[:2] in ("[/", "[~") or "://" in word
    return is_place or (word[:1] == "[" and word[1:2].isdigit())


def _in_parts(word: str) -> str:
    """`loadUserByID` as `load User By ID`, in front of the word itself."""
    if word.isupper():
        return word
    parts, before = "", "A"
    for sign in word:
        parts += f" {sign}" if sign.isupper() and not before.isupper() else sign
        before = sign
    return f"{parts} {word}" if " " in parts.strip() else word


def stem(word: str) -> str:
    """A word without its ending: `loading`, `loaded` and `loads` are the same."""
    if len(word) <= _SHORTEST:
        return word[:-1] if word[-1:] == "s" and len(word) == _SHORTEST and word[-2] != "s" else word
    if word.endswith("ies"):
        return word[:-3] + "y"
    for ending in _ENDINGS if word[-1] in "sgdy" else ():
        if word.endswith(ending) and len(word) - len(ending) >= _PART and word[-2:] != "ss":
            word = word[: -len(ending)]
            doubled = len(word) > _PART and word[-1] == word[-2] and word[-1] not in "lsz"
            return word[:-1] if doubled or (word[-1] == "e" and len(word) > _SHORTEST) else word
    return word[:-1] if word[-1] == "e" else word


def score(parts: "tuple[int, int, int]") -> int:
    """What words, files and age come to together."""
    words, files, age = parts
    return (words + files) * age // 100


def is_told(line: str, parts: "tuple[int, int, int]", asked: "Sequence[str]") -> bool:
    """Whether the line of a task is near enough to be told: it has four words of the prompt, or all."""
    shared = {*asked}.intersection(terms(line))
    return score(parts) >= THRESHOLD and len(shared) >= min(len(asked), _FEWEST_SAID)
