"""Just enough grammar to turn an order into a statement: where a phrase ends, its number, whose words they are."""

import re

from learnloop.learn import verbs

_AFTER_OBJECT = re.compile(
    r"\s+(?=(?:before|after|when|whenever|with|without|in|on|to|for|from|by|as|unless|if|even|at|until|till|because|so|since|while"
    r"|into|inside|outside|per|via|through|throughout|everywhere|here|there|next|first|again|too|either|instead|rather|anymore"
    r"|any\s+more|yet|always|directly|manually|separately|where|anywhere|please|during|between|under|over|against|across|about)\b)"
    r"|\s*,\s*",
    re.I,
)
_RELATIVE = re.compile(r"\s+(?:that|which|who|you|I|we|they|it)\s", re.I)
_OF = re.compile(r"\s+(?:of|for|in|on|with|from|to|about)\s", re.I)
_PLURAL_WORDS = frozenset(
    "these those they children people data criteria both many few several tabs logs jobs keys args urls ids enums".split()
)
_SINGULAR_END = re.compile(
    r"(?:(?:ss|us|is|'s)|\b(?:this|docs?/?|css|aws|os|js|ts|redis|postgres|kubernetes|pandas|rails|alias|always))$",
    re.I,
)
_NUMBER = re.compile(r"^(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b(?!\.)", re.I)
_CONTRACTION = {"do not": "does not", "don't": "does not"}
_YOU_VERB = {
    "are": "is", "were": "was", "have": "has", "do": "does", "don't": "does not", "aren't": "is not",
    "weren't": "was not", "haven't": "has not",
}  # fmt: skip
_MODAL = frozenset(
    "did didn't can can't cannot must mustn't may might will won't would wouldn't should shouldn't could couldn't had was".split()
)
_PERSON = {
    "i": "the user",
    "me": "the user",
    "my": "the user's",
    "mine": "the user's",
    "i'm": "the user is",
    "myself": "the user",
}
_I_VERB = {"am": "is", "have": "has", "do": "does", "don't": "does not", "'m": "is"}


def object_of(text: str) -> tuple[str, str]:
    """The noun phrase that a text begins with, and what follows it."""
    cut = _AFTER_OBJECT.search(text)
    if cut is None:
        return text, ""
    return text[: cut.start()], text[cut.start() :]


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase takes `are`."""
    if re.search(r"\sand\s", phrase):
        return True
    head_part = _OF.split(_RELATIVE.split(phrase)[0])[0].strip()
    head = head_part.split()[-1] if head_part.split() else ""
    first = phrase.split()[0].lower() if phrase.split() else ""
    if _NUMBER.match(phrase) or first in _PLURAL_WORDS or head.lower() in _PLURAL_WORDS:
        return True
    if (
        first in ("a", "an", "this", "that", "every", "each", "one")
        or not head[:1].islower()
        or not head.isalpha()
    ):
        return False
    single = " " not in head_part
    return head.endswith("s") and not _SINGULAR_END.search(head) and not (single and len(head) <= 4)


def be(phrase: str, negated: bool = False) -> str:
    """`is` or `are`, with `not` where something is not done."""
    return ("are" if is_plural(phrase) else "is") + (" not" if negated else "")


def impersonal(text: str) -> str:
    """The text about `the agent` and `the user` where it says `you` and `I`, the verbs with them."""
    words = text.split(" ")
    out: list[str] = []
    named = False
    position = 0
    while position < len(words):
        word = words[position]
        bare, tail = _bare(word)
        low = bare.lower()
        following = words[position + 1] if position + 1 < len(words) else ""
        if low in ("you", "you're", "you've", "you'll"):
            as_object = position > 0 and (low == "you" and _is_object(words, position))
            subject = "it" if named else "the agent"
            named = True
            out.append(subject + {"you're": " is", "you've": " has", "you'll": " will"}.get(low, "") + tail)
            if low == "you" and not as_object and following:
                out.append(_third_person(following, _YOU_VERB))
                position += 1
        elif low in ("your", "yours", "yourself"):
            out.append(
                {"your": "its" if named else "the agent's", "yours": "the agent's", "yourself": "itself"}[low]
                + tail
            )
        elif low in _PERSON:
            out.append(_PERSON[low] + tail)
            if low == "i" and following:
                out.append(_third_person(following, _I_VERB))
                position += 1
        else:
            out.append(word)
        position += 1
    return " ".join(out)


def _bare(word: str) -> tuple[str, str]:
    match = re.match(r"([\w']+)(\W*)$", word)
    return (match[1], match[2]) if match else (word, "")


def _is_object(words: list[str], position: int) -> bool:
    """Whether the `you` at a position is an object: nothing that could be its verb follows."""
    before = words[position - 1].lower()
    if before in (
        "ask",
        "asked",
        "tell",
        "told",
        "want",
        "need",
        "for",
        "to",
        "with",
        "from",
        "by",
        "give",
        "show",
        "let",
    ):
        return True
    return position + 1 >= len(words)


def _third_person(word: str, table: dict[str, str]) -> str:
    bare, tail = _bare(word)
    low = bare.lower()
    if low in table:
        return table[low] + tail
    if (
        low in _MODAL
        or low.endswith("ed")
        or not low.isalpha()
        or low in ("already", "really", "just", "only", "also", "wrote")
    ):
        return word
    return (
        verbs.third(bare) + tail
        if verbs.is_verb(bare) or low in ("say", "want", "need", "like", "think")
        else word
    )


def sentence(text: str) -> str:
    """A text as a sentence: a capital where the first word is an ordinary one, one full stop."""
    trimmed = re.sub(r"\s+", " ", text).strip(" ,;:-–—.!")
    if not trimmed:
        return ""
    first = trimmed.split()[0]
    ordinary = first.isalpha() and first.islower() and (" " in trimmed) and not _is_name(trimmed)
    return (trimmed[0].upper() + trimmed[1:] if ordinary else trimmed) + "."


def _is_name(text: str) -> bool:
    """Whether a sentence begins with a bare name, as in `pnpm is used`: names keep their case."""
    words = text.split()
    return (
        len(words) > 1 and words[1] in ("is", "and") and not is_plural(words[0]) and words[0] not in _ORDINARY
    )


_ORDINARY = frozenset(
    """it this that everything nothing code output work there what which who anyone someone documentation
    indentation formatting logging testing permission access""".split()
)
