"""Just enough grammar to turn an order into a statement: where a phrase ends, its number, its person."""

import re

from learnloop.learn.language import lexicon, verbs

_AFTER_OBJECT = re.compile(
    r"\s+(?=(?:before|after|when|whenever|with|without|in|on|to|for|from|by|as|unless|if|even|at|until|till|because|so"
    r"|since|while|into|inside|outside|per|via|through|throughout|everywhere|here|there|next|first|again|too|either"
    r"|instead|rather|anymore|any\s+more|yet|always|directly|manually|separately|where|anywhere|please|during|between"
    r"|under|over|against|across|about|only|automatically|explicitly|out)\b)"
    r"|\s*,\s*",
    re.I,
)
_RELATIVE = re.compile(r"\s+(?:that|which|who|whose|you|I|we|they|it)\s", re.I)
_OF = re.compile(r"\s+(?:of|for|in|on|with|from|to|about|at|under|than|by)\s", re.I)
_NUMBER = re.compile(r"^(?:two|three|four|five|six|seven|eight|nine|ten|[2-9]|\d{2,})\b(?![.\d-])", re.I)
_ONE = lexicon.listed("a an this that every each one another any something anything everything nothing no")
_YOU_VERB = {
    "are": "is", "were": "was", "have": "has", "do": "does", "don't": "does not", "aren't": "is not",
    "weren't": "was not", "haven't": "has not",
}  # fmt: skip
_I_VERB = {"am": "is", "have": "has", "do": "does", "don't": "does not"}
_ADVERBS = frozenset(("already", "really", "just", "only", "also", "always", "never", "actually", "usually"))
_SPOKEN = frozenset(("say", "want", "need", "like", "think", "know", "finish", "claim"))
_PERSON = {
    "i": "the user",
    "me": "the user",
    "my": "the user's",
    "mine": "the user's",
    "i'm": "the user is",
    "myself": "the user",
}
_POSSESSIVE = {"your": "its", "yours": "its own", "yourself": "itself"}


def object_of(text: str) -> tuple[str, str]:
    """The noun phrase that a text begins with, and what follows it."""
    for cut in _AFTER_OBJECT.finditer(text):
        follows = text[cut.start() :].lstrip(" ,").lower()
        if not (follows.startswith("to ") and _RELATIVE.search(text[: cut.start()])):
            return text[: cut.start()], text[cut.start() :]
    return text, ""


def starts_aside(text: str) -> bool:
    """Whether a text has no object because it begins with an addition such as `before merging`."""
    match = _AFTER_OBJECT.match(f" {text}")
    return match is not None


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase takes `are`."""
    words = phrase.lower().split()
    if not words or _NUMBER.match(phrase) or words[0] in lexicon.PLURAL:
        return bool(words)
    if words[0] in _ONE:
        return False
    if re.search(r"\sand\s", phrase) and not _RELATIVE.search(phrase):
        return True
    head_part = _OF.split(_RELATIVE.split(phrase)[0])[0].strip()
    head = head_part.split()[-1] if head_part else ""
    if head.lower() in lexicon.PLURAL:
        return True
    if (
        not head.replace("-", "").isalpha()
        or not head.islower()
        or head.rpartition("-")[2] in lexicon.SINGULAR
    ):
        return False
    if head.endswith("js"):
        return False
    return (
        head.endswith("s") and not head.endswith(("ss", "us", "is")) and (len(head) > 4 or " " in head_part)
    )


def be(phrase: str, negated: bool = False) -> str:
    """`is` or `are`, with `not` where something is not done."""
    return ("are" if is_plural(phrase) else "is") + (" not" if negated else "")


def impersonal(text: str) -> str:
    """The text with `the agent` for `you` and `the user` for `I`, and the verbs changed to match."""
    words, out, named, position = text.split(" "), [], False, 0
    while position < len(words):
        bare, tail = _bare(words[position])
        low = bare.lower()
        following = words[position + 1] if position + 1 < len(words) else ""
        if low in ("you", "you're", "you've", "you'll"):
            subject = "it" if named else "the agent"
            named = True
            out.append(subject + {"you're": " is", "you've": " has", "you'll": " will"}.get(low, "") + tail)
            if low == "you" and following and not tail and not _is_object(words, position):
                out.append(_third_person(following, _YOU_VERB))
                position += 1
        elif low in _POSSESSIVE:
            out.append((_POSSESSIVE[low] if named or low != "your" else "the agent's") + tail)
        elif low in _PERSON:
            out.append(_PERSON[low] + tail)
            if low == "i" and following:
                out.append(_third_person(following, _I_VERB))
                position += 1
        else:
            out.append(words[position])
        position += 1
    return " ".join(out)


def _bare(word: str) -> tuple[str, str]:
    match = re.match(r"([\w']+)(\W*)$", word)
    return (match[1], match[2]) if match else (word, "")


def _is_object(words: list[str], position: int) -> bool:
    """Whether the `you` at a position is an object."""
    return position > 0 and words[position - 1].lower() in lexicon.BEFORE_OBJECT


def _third_person(word: str, table: dict[str, str]) -> str:
    bare, tail = _bare(word)
    low = bare.lower()
    if low in table:
        return table[low] + tail
    if low in lexicon.MODAL or low in _ADVERBS or low.endswith("ed"):
        return word
    return verbs.third(bare) + tail if verbs.is_verb(bare) or low in _SPOKEN else word


def sentence(text: str) -> str:
    """A text as a sentence: a capital letter unless it begins with a name, and one full stop."""
    trimmed = re.sub(r"\s+", " ", text).strip(" ,;:-–—.!")
    if not trimmed:
        return ""
    first = trimmed.split()[0]
    is_ordinary = first.isalpha() and first.islower() and not _is_name(trimmed.split())
    return (trimmed[0].upper() + trimmed[1:] if is_ordinary else trimmed) + "."


def _is_name(words: list[str]) -> bool:
    """Whether a sentence begins with a bare name, as in `pnpm is used`: names keep their case."""
    if words[0] in lexicon.PROGRAMS:
        return True
    if len(words) < 3 or words[1] not in ("is", "and") or words[2] in ("preferred", "avoided"):
        return False
    return not is_plural(words[0]) and words[0] not in lexicon.ORDINARY
