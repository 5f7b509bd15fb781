"""Whose words a prompt is: what a person typed, and what somebody else wrote. Pure.

A prompt is read line by line. Some lines are never typed, such as a log's; others open a text of somebody
else, such as the head of a mail, and all below it belongs to that text. What stands above is the person's.
The chance that somebody else wrote a block (lines without a blank one between them) is a logistic regression
over its form and its small words; `scripts/train_pastes.py` trains it.
"""

import itertools
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from learnloop.learn.language import foreign_forms, lexicon, linear_model
from learnloop.learn.language.pasted import is_beside_code, is_copied, is_quoted, without_pasted

PRINTED = "print"
"""Of a session in print mode, or of an SDK."""
_LIKELY = "they read like a text of somebody else"
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONGEST_REQUEST, _LEAST_BLOCK = 240, 600
_LONG_LINE = 400
_ENDS = tuple(":?.!,")


class Authorship(NamedTuple):
    """The words of a prompt that count, and whose they are."""

    words: str
    """What the person typed; all of it where somebody else may have written it."""
    reason: str
    """Why somebody else may have written it; empty where it is the person's."""
    judges: bool = True
    """Whether it says something about the turn before it, whoever wrote it."""


def read(prompt: str, payload: Mapping[str, Any]) -> Authorship:
    """The typed part of a prompt, or the reason why none of it is surely typed.

    Print mode is used by people and by programs, and the client tells no difference.
    """
    started = payload.get("headless")
    if started and started != PRINTED:
        return Authorship(prompt, "another program started the session that got them", judges=False)
    authorship = _read(prompt)
    if started and not authorship.reason:
        return Authorship(authorship.words, "nobody sat at the session that got them")
    return authorship


def _read(prompt: str) -> Authorship:
    authorship = by_form(prompt)
    lines = authorship.words.split("\n")
    if authorship.reason or (at := likely_opening(lines)) is None:
        return authorship
    typed = "\n".join(lines[:at]).rstrip()
    return Authorship(typed, "") if _is_typed(typed) else Authorship(prompt, _LIKELY, judges=False)


def by_form(prompt: str) -> Authorship:
    """The typed part of a prompt as far as forms tell, before any weighing."""
    lines = prompt.split("\n")
    opened, reason = _opening(lines)
    if opened is None:
        return _without_lines(prompt, lines)
    opened = _with_title(lines, opened)
    typed = "\n".join(lines[:opened]).rstrip()
    typed = _without_lines(typed, lines[:opened]).words
    return Authorship(typed, "") if _is_typed(typed) else Authorship(prompt, reason, judges=False)


def _opening(lines: Sequence[str]) -> tuple[int | None, str]:
    """Where somebody else's text begins, and its form."""
    cut = [line[:_LONG_LINE] for line in lines]
    if (at := _long_block(lines)) is not None:
        return at, "they stand in a long text below a short request"
    openings = [(at, reason) for reason, test in foreign_forms.OPENINGS if (at := test(cut)) is not None]
    return min(openings, default=(None, ""), key=lambda opening: opening[0])


def _with_title(lines: Sequence[str], opened: int) -> int:
    """Where a text begins with the lines that stand right above it; a line that leads over to it is typed."""
    while opened and lines[opened].strip() and lines[opened - 1].strip():
        if lines[opened - 1].rstrip().endswith(_ENDS):
            break
        opened -= 1
    return opened


def _long_block(lines: Sequence[str]) -> int | None:
    """Where a long paragraph begins below a short one."""
    blank = next((at for at, line in enumerate(lines) if not line.strip()), None)
    head = "\n".join(lines[:blank]).rstrip()
    if blank is None or len(head) > _LONGEST_REQUEST or not head.endswith(_ENDS):
        return None
    rest = "\n".join(lines[blank:])
    return blank if len(rest) >= _LEAST_BLOCK and not foreign_forms.addresses_the_agent(rest) else None


def _without_lines(prompt: str, lines: Sequence[str]) -> Authorship:
    """The prompt without the lines that nobody types; the reason where no line is left."""
    own: list[str] = []
    is_foreign = False
    has_code = any(is_copied(line[:_LONG_LINE]) for line in lines)
    for line in lines:
        starts = is_copied(line[:_LONG_LINE])
        is_foreign = starts or (is_foreign and bool(line.strip()))
        is_left_out = is_foreign or is_quoted(line)
        own.append("" if is_left_out or (has_code and is_beside_code(line)) else line)
    typed = "\n".join(own)
    if _is_typed(without_pasted(typed)[0]):
        return Authorship(typed, "")
    is_foreign = _is_typed(prompt)
    return Authorship(prompt, "they are output, code or a log" if is_foreign else "", judges=not is_foreign)


def _is_typed(text: str) -> bool:
    return _WORD.search(text) is not None


WEIGHTS = Path(__file__).with_name("block_weights.json")
_TOKEN = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?|\d+|[^\w\s]")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n")
_MOST_TOKENS, _MOST_BLOCKS, _MOST_CHARACTERS = 120, 12, 2_000
_FEWEST_WORDS = 20
"""A shorter text has too little form to tell whose it is."""
_LONGEST_WORD = 7
_LENGTHS = (6, 12, 20, 35, 60, 100)
_RULES = frozenset(("always", "never", "immer", "nie", "niemals", "siempre", "nunca", "toujours", "jamais"))
_FORMS = {
    "asks": re.compile(r"\?"),
    "asks at the end": re.compile(r"\?\s*\Z"),
    "agent": re.compile(
        r"\b(?:can|could|would|did|do|are|have) you\b|\byou (?:did|just|broke|forgot|made|added|are)\b", re.I
    ),
    "please": re.compile(r"\b(?:please|pls|plz|bitte)\b", re.I),
    "I": re.compile(r"\bI\b"),
    "i": re.compile(r"\bi\b"),
    "we": re.compile(r"\b(?:we|our|us|wir|unser\w*|nous|nos)\b", re.I),
    "you should": re.compile(r"\byou(?:'ll|'d)? (?:should|must|need|want|may|can)\b", re.I),
    "must": re.compile(r"\b(?:must|should|shall|may|cannot)\b", re.I),
    "they": re.compile(r"\b(?:they|he|she|their|users?|clients?|customers?|developers?|teams?)\b", re.I),
    "is done": re.compile(r"\b(?:is|are|was|were|be|been)\s(?:\w+\s)?\w+(?:ed|en)\b", re.I),
    "no apostrophe": re.compile(r"\b(?:dont|doesnt|cant|wont|isnt|didnt|im|ive|lets|thats)\b", re.I),
    "typographic": re.compile(r"[\u2018-\u201f\u2013\u2014\u2026\u00ab\u00bb]"),
    "code": re.compile(r"`|\w\(\)|\w/\w|\w_\w|\.\w{2,4}\b"),
    "greets": re.compile(r"\A\s*(?:hi|hello|hey|dear|morning|hallo|bonjour|hola)\b", re.I),
    "thanks": re.compile(r"\b(?:thanks|thank you|thx|cheers|merci|danke|gracias|VG|LG)\b", re.I),
    "list": re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s", re.M),
    "colon": re.compile(r":\s"),
    "semicolon": re.compile(r";"),
    "time": re.compile(r"\b(?:today|yesterday|monday|friday|march|years?|weeks?|last|ago)\b", re.I),
}  # fmt: skip


class Scored(NamedTuple):
    """A block with the logarithm of the odds that it is somebody else's."""

    start: int
    score: float
    weight: int
    """Its length."""


def likely_opening(lines: Sequence[str]) -> int | None:
    """The line where a text begins that somebody else likely wrote."""
    if len(" ".join(lines[:_FEWEST_WORDS]).split()) < _FEWEST_WORDS:
        return None
    weights = linear_model.read(WEIGHTS)
    blocks = [
        Scored(start, sum(linear_model.parts(weights, values, grams).values()), len(grams))
        for start, values, grams in features(lines)
    ]
    if not blocks:
        return None
    start, score = likeliest(blocks)
    return start if linear_model.chance(weights, {"blocks": score}) >= weights.threshold else None


def likeliest(blocks: Sequence[Scored]) -> tuple[int, float]:
    """Where a paste most likely begins, and its score: at the top, below a request, or above one."""
    spans = [blocks, blocks[1:], blocks[:-1]]
    return max(((span[0].start, _mean(span)) for span in spans if span), key=lambda scored: scored[1])


def _mean(blocks: Sequence[Scored]) -> float:
    return sum(block.score * block.weight for block in blocks) / sum(block.weight for block in blocks)


def features(lines: Sequence[str]) -> list[tuple[int, dict[str, float], list[str]]]:
    """First line, signs by name and grams of each block."""
    blocks = _blocks(lines)
    total = sum(len(text) for _, text in blocks)
    return [
        (start, _signs(text) | _place(at, text, blocks, total), _grams(text))
        for at, (start, text) in enumerate(blocks)
    ]


def _blocks(lines: Sequence[str]) -> list[tuple[int, str]]:
    runs = itertools.groupby(enumerate(lines), key=lambda row: bool(row[1].strip()))
    written = [list(rows) for is_written, rows in runs if is_written]
    return [
        (rows[0][0], "\n".join(line for _, line in rows)[:_MOST_CHARACTERS])
        for rows in written[:_MOST_BLOCKS]
    ]


def _place(at: int, text: str, blocks: Sequence[tuple[int, str]], total: int) -> dict[str, float]:
    """How a block stands to the rest of the prompt."""
    if len(blocks) == 1:
        return {"alone": 1.0}
    named = {"first": at == 0, "last": at == len(blocks) - 1, "most of it": 2 * len(text) > total}
    near = (*blocks[max(at - 1, 0) : at], *blocks[at + 1 : at + 2])
    named["beside a short request"] = any(len(other) < 80 and 3 * len(other) < len(text) for _, other in near)
    return {name: 1.0 for name, is_so in named.items() if is_so}


def _signs(text: str) -> dict[str, float]:
    count, lines = len(_TOKEN.findall(text)), text.split("\n")
    sentences = [part for part in _SENTENCE_END.split(text) if part.strip()] or [""]
    first = (_TOKEN.findall(text) or [""])[0]
    named = {
        "begins small": first[:1].islower(),
        "begins with an order": first.lower() in lexicon.PLAIN_ORDERS,
        "ends open": text.rstrip()[-1:].isalnum(),
        "ends with a stop": text.rstrip()[-1:] == ".",
        "whole sentences": all(
            part.lstrip()[:1].isupper() and part.rstrip()[-1:] in ".!?:" for part in sentences
        ),
        "two sentences": len(sentences) >= 2,
        "four sentences": len(sentences) >= 4,
        "long sentences": len(text) > 90 * len(sentences),
        "short sentences": len(text) < 45 * len(sentences),
        "several lines": len(lines) > 1,
        "even lines": len(lines) > 2 and max(map(len, lines)) < 2 * min(map(len, lines)),
        "no plain letters": not text.isascii(),
    } | {name: form.search(text) is not None for name, form in _FORMS.items()}
    values = {name: 1.0 for name, is_so in named.items() if is_so}
    kind = "whole sentences" if named["whole sentences"] else "no whole sentences"
    values |= {f"{name}+{kind}": 1.0 for name in tuple(values) if name in _FORMS}
    return values | {f">{limit} words": 1.0 for limit in _LENGTHS if count > limit}


def _grams(text: str) -> list[str]:
    tokens = [_shape(token) for token in _TOKEN.findall(text)[:_MOST_TOKENS]]
    openers = [_shape(part.split()[0]) for part in _SENTENCE_END.split(text) if part.strip()]
    pairs = [f"{first} {second}" for first, second in itertools.pairwise(tokens)]
    return [*tokens, *pairs, *(f"o {token}" for token in openers)]


def _shape(token: str) -> str:
    """A small word in small letters; of any other its look alone, so that topics count for nothing."""
    lower = token.lower().replace("\u2019", "'")
    if lower in _RULES:
        return "_rule"
    if token.isdigit():
        return "_number"
    if len(token) > _LONGEST_WORD:
        return "_Long" if token[:1].isupper() else "_long"
    return lower
