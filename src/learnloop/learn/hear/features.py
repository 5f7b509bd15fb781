"""What the heads of the model see: signs and words of a prompt or a sentence, and its place. Pure."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import log1p
from typing import NamedTuple

from learnloop.learn.hear import signs
from learnloop.learn.language.words import OwnWords

LONGEST = 6000
"""Characters of a prompt that are read: more than 95 in 100 prompts are shorter."""
_HEAD, _TAIL = 300, 100
"""Characters at both ends that are searched for signs: all of a long prompt would look like feedback."""
_WORDS_HEAD, _WORDS_TAIL = 250, 80

Features = tuple[dict[str, float], list[str]]
"""Values by sign; words, pairs of words and openers."""


class Prompt(NamedTuple):
    """A prompt and its place in the session."""

    text: str
    previous: str = ""
    """The prompt before it; its beginning is enough."""
    position: int = 2
    """Its number among the session's prompts, from 1."""
    interrupted: bool = False
    """The turn before was interrupted or refused."""


_RULE_FILE = re.compile(
    r"@?[\w./~-]*\b(?:claude|agents?|gemini|copilot-instructions)\.mdc?\b|\.cursorrules\b", re.I
)
_MASKS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (" _code \n", re.compile(r"```.*?(?:```|\Z)", re.S)),
    (" _image ", re.compile(r"\[(?:image|pasted text)[^\]\n]*\]", re.I)),
    (" ", re.compile(r"<(system-reminder|local-command-\w+|command-\w+|ide_\w+)>.*?</\1>", re.S)),
    (" _code ", re.compile(r"`[^`\n]{1,300}`|\ue000\d+\ue001")),
    (" _url ", re.compile(r"https?://\S+")),
    (" _rulefile ", _RULE_FILE),
    (" _path ", re.compile(r"(?<!\S)@[\w~./-]+")),
    (" _path ", re.compile(r"(?<![\w/])(?:~|\.{1,2})?/?(?:[\w.-]+/)+[\w.-]*(?::\d+)?(?=\W|\Z)")),
    (" _path ", re.compile(
        r"\b[\w-]+\.(?:py|js|jsx|tsx?|go|mdc?|jsonl?|ya?ml|toml|rs|vue|css|html|sh|sql|env|txt|log|png|mod|db)\b"
    )),
)  # fmt: skip
_LOG = re.compile(
    r"""\s*(?:at\s\S+[.(]|File\s"|Traceback\b|Caused\sby:|Exception\sin\sthread\b|\[?\d{1,4}[-/:]\d\d[-/:T]|[│├└┌┐┘─═━|╭╰╮╯⎿●⏺✓✗✔✘×❯➜⚠❌✅]|\$\s|>
    |[\w.-]+@[\w.-]+[:~]|(?:npm|ERROR|WARN(?:ING)?|INFO|DEBUG|FAIL(?:ED)?|PASS|error|warning)\b[\s:!\]]
    |[{}\[\]();,<>]+\s*$|<[^>]*>|\d+\s?[|:│]|[+-]{1,3}\s.*\b(?:def|const|function|import)\b)
    |.*\b\w*(?:Error|Exception)\b:|.*[{};]\s*$|\s{4,}\S""",
    re.X,
)
_LOG_LETTERS = 0.72
_QUOTE = re.compile(r'(?<![\w"])"(?=\S)[^"\n]{25,}"')
_NUMBER = re.compile(r"\b\d+(?:\.\d+)*\b")
_BLANKS = re.compile(r"[ \t\r\f\v]+")
_LINES = re.compile(r"\s*\n\s*")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\0": " "})


@lru_cache(maxsize=64)
def masked_text(text: str) -> str:
    """A prompt in lower case, with code, paths, links, logs and long quotes replaced by marks."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST - 1000]}\n{text[-1000:]}"
    text = text.translate(_QUOTES)
    for mask, form in _MASKS:
        text = form.sub(mask, text)
    lines: list[str] = []
    for line in text.split("\n"):
        if not is_log(line):
            lines.append(line)
        elif not lines or lines[-1] != "_paste":
            lines.append("_paste")
    text = _NUMBER.sub("_num", _QUOTE.sub(" _quote ", "\n".join(lines)))
    return _LINES.sub("\n", _BLANKS.sub(" ", text)).strip().lower()


def is_log(line: str) -> bool:
    """Whether a line looks like one that a program printed."""
    if not line.strip():
        return False
    if _LOG.match(line):
        return True
    words = sum(char.isalpha() or char in " ,.'?!_" for char in line)
    return len(line) > 25 and words < _LOG_LETTERS * len(line)


def _cut(text: str, head: int, tail: int) -> str:
    return text if len(text) <= head + tail else f"{text[:head]} \n {text[-tail:]}"


_SENTENCE = re.compile(r"(?<=[.!?])\s|\n")
_TOKEN = re.compile(r"[\w']+|[?!]+|[\u2600-\u27bf\U0001f300-\U0001faff]")
_OPENING = 6
_LENGTHS = (2, 4, 8, 15, 30, 60, 120)


def of_prompt(prompt: Prompt) -> Features:
    """What a prompt shows: `^sign`, `sign`, `1 sign` (in its first sentence), length and place; its words."""
    text = masked_text(prompt.text)
    values = dict.fromkeys(_signs(_cut(text, _HEAD, _TAIL)), 1.0) | _size(text)
    if len(prompt.text) > 800:
        values["long"] = 1.0
    if any(word.isupper() and len(word) > 2 and word.isalpha() for word in prompt.text[:_HEAD].split()):
        values["capitals"] = 1.0
    values |= dict.fromkeys(_of_session(prompt, len(text.split())), 1.0)
    return values, _grams(_TOKEN.findall(_cut(text, _WORDS_HEAD, _WORDS_TAIL)))


def _signs(text: str) -> Iterator[str]:
    first = len(_SENTENCE.split(text, maxsplit=1)[0][:160])
    starts, anywhere = signs.forms()
    for name, form in starts:
        if form.match(text):
            yield f"^{name}"
    for name, form in anywhere:
        match = form.search(text)
        if match:
            yield name
            if match.start() < first:
                yield f"1 {name}"


def _size(text: str) -> dict[str, float]:
    count = len(text.split())
    values = dict.fromkeys((f"<{limit} words" for limit in _LENGTHS if count < limit), 1.0)
    return values | {"length": min(log1p(count) / 5, 1.5)}


def _of_session(prompt: Prompt, count: int) -> Iterator[str]:
    if prompt.position <= 1:
        yield "first"
    if prompt.position <= 3:
        yield "early"
    if prompt.position > 15:
        yield "late"
    if prompt.interrupted:
        yield "interrupted"
        if count < 15:
            yield "interrupted, short"


def _grams(words: list[str]) -> list[str]:
    """Words and word pairs, and openers of one to three words."""
    grams = [f"w {word}" for word in words]
    grams += [f"w {first} {second}" for first, second in pairwise(words)]
    for length in (1, 2, 3):
        for at in range(min(_OPENING, len(words)) - length + 1):
            grams.append(f"o {' '.join(words[at : at + length])}")
    return grams


_MOST_WORDS = 60


def of_words(text: str, *, asks: bool = False) -> Features:
    """What a sentence shows by itself: signs, length, words, and how it begins and ends."""
    values, grams = _of_text(text)
    return {**values, "asks": 1.0} if asks else dict(values), list(grams)


@lru_cache(maxsize=64)
def _of_text(text: str) -> Features:
    """The same, kept: two heads look at a sentence one after the other."""
    text = masked_text(text)
    starts, anywhere = signs.forms()
    values = {f"^{name}": 1.0 for name, form in starts if form.match(text)} | _size(text)
    values |= {name: 1.0 for name, form in anywhere if form.search(text)}
    words = _TOKEN.findall(text)[:_MOST_WORDS]
    grams = [f"w {word}" for word in words]
    grams += [f"w {first} {second}" for first, second in pairwise(words)]
    for length in (1, 2, 3):
        if len(words) >= length:
            grams += [f"o {' '.join(words[:length])}", f"e {' '.join(words[-length:])}"]
    return values, grams


class Place(NamedTuple):
    """What is known of the prompt that a sentence stands in."""

    sentences: int = 1
    """How many it has."""
    position: int = 1
    """Its number among the session's prompts, from 1."""


def of_sentence(own: OwnWords, at: int, place: Place) -> Features:
    """What the sentence `own.every[at]` shows, with its place in the prompt."""
    sentence = own.every[at]
    values, grams = of_words(sentence.text, asks=sentence.asks)
    values |= dict.fromkeys(_of_place(own, at, place), 1.0)
    return values, grams


def _of_place(own: OwnWords, at: int, place: Place) -> Iterator[str]:
    if place.sentences == 1:
        yield "alone"
    if at == 0:
        yield "opens"
    if at == place.sentences - 1:
        yield "closes"
    if place.sentences > 8:
        yield "long prompt"
    if own.every[at].listed:
        yield "listed"
    if place.position <= 1:
        yield "first prompt"
    if any(word.isupper() and len(word) > 2 for word in own.every[at].text.split()):
        yield "shouts"
    if at and len(own.every[at - 1].text.split()) < 4:
        yield "after a word"
