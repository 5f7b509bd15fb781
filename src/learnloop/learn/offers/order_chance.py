"""The chance that a text wants harm of an agent: logistic regression over rules, kinds of words, and words.

`scripts/train_orders.py` trains it. Texts are folded (`learn.language.lookalikes`); each sentence
is read alone and with the next one, and a text in other letters also as it is.
"""

import itertools
import re
from collections.abc import Iterator
from math import log
from pathlib import Path

from learnloop.learn.language import linear_model, lookalikes
from learnloop.learn.offers import intents, order_rules

WEIGHTS = Path(__file__).with_name("order_weights.json")
REASONS = {
    "run": "runs what it downloads or is told to",
    "send": "sends something away",
    "guard": "switches a safeguard off",
    "ignore": "tells the agent to drop its instructions",
    "role": "gives the agent another role",
    "hide": "keeps something from the user",
    "approve": "approves for the user",
    "power": "gives others power",
    "wipe": "destroys what shows what happened",
    "wait": "waits for an occasion",
    "money": "changes where money goes",
    "supply": "takes code from a place that nobody checked",
    "spread": "spreads itself to other agents",
    "authority": "claims an authority that it does not have",
    "weak": "weakens what is written",
    "tamper": "changes settings behind the user's back",
}
"""What a text wants, by the name of its group in the training texts."""
_MASKS = (
    (" _url ", re.compile(r"\b(?:https?|ftp|wss?|s3)://[^\s`'\")>]+")),
    (" _mail ", re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")),
    (" _ip ", re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b")),
    (" _host ", re.compile(
        r"(?<![\w./@-])(?:[a-z0-9-]+\.)+(?:net|com|org|io|ru|cn|cc|xyz|top|live|site|app|tk|info|online|pw|lol|fun"
        r"|click|biz|icu|page|host|link|tech|space|store|cloud|su|to|me)\b(?!\()"
    )),
)  # fmt: skip
_TOKEN = re.compile(r"_\w+|\.\w+|--?\w[\w-]*|[^\W_]+(?:'\w+)?|[|*$~]")
_FORBIDS = re.compile(
    r"(?:never|not|no|\w+n't|dont|cannot|without|nicht|nie|niemals|kein\w*|ne|jamais|nunca|non|nao|mai|niet|nooit|geen|nigdy|aldrig|inte|ikke"
    r"|\u043d\u0435|\u043d\u0438\u043a\u043e\u0433\u0434\u0430)$"
)
_REACH = 5
"""Words after one that forbids, which are counted apart."""
_MOST_TOKENS = 90
_PART, _IDEOGRAMS = 4, 2
"""Letters of a part of a word, and of one without blanks between words."""
_IDEOGRAM = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")
_SHORTEST = 5
_LENGTHS = (4, 8, 15, 30, 60)
_COSTLIEST = 64
"""The pieces that cost most, so that padding hides no order."""
_FORMS = {
    "asks": re.compile(r"\?"),
    "own": re.compile(r"\b(?:i|i'm|i've|my|me|we|our|us|let's|lets|ich|wir|je|nous|yo)\b"),
    "reports": re.compile(r"\b(?:getting|error|failed|fails|why|what|how|seems|looks)\b"),
    "agent": re.compile(r"\b(?:ai|llms?|agents?|assistants?|models?|bots?|claude|copilot|chatgpt|ki)\b"),
    "each time": re.compile(r"\b(?:always|whenever|each|every|from now on|at the (?:start|end) of)\b"),
    "outside": re.compile(r"_(?:url|ip|host|mail)\b"),
    "shell": re.compile(r"\||\$\(|`|\bsudo\b"),
    "quoted": re.compile(r"[\"\u201c\u201e\u00ab]"),
}


def warning(text: str) -> str:
    """What a text wants of an agent; empty if it is likely nothing bad."""
    weights = linear_model.read(WEIGHTS)
    best, reason = weights.threshold, ""
    pieces = list(features(text))
    nudge = -length_cost(len(pieces))
    for values, grams in pieces:
        chance = linear_model.chance(weights, linear_model.parts(weights, values, grams), nudge)
        if chance >= best:
            best, reason = chance, REASONS[linear_model.category(weights, values)[0]]
    return reason


def length_cost(pieces: int) -> float:
    """What a text of several pieces needs above the threshold: each is a chance to err (Bonferroni)."""
    return log(min(max(pieces, 1), _COSTLIEST))


def features(text: str) -> Iterator[tuple[dict[str, float], list[str]]]:
    """Signs by name, and grams, of each sentence, and of each two that follow each other."""
    folded = "\n".join(map(lookalikes.fold_words, text.split("\n")))
    for reading in (folded,) if text.isascii() else (folded, lookalikes.drop_unseen(text).lower()):
        sentences = intents.sentences(reading)
        signs = [intents.kinds(sentence) | _wishes(sentence) for sentence in sentences]
        yield from map(_features, sentences, signs)
        for at, (first, second) in enumerate(itertools.pairwise(sentences)):
            yield _features(f"{first} {second}", signs[at] | signs[at + 1])


def _wishes(sentence: str) -> frozenset[str]:
    """What families of words and rules say that a sentence wants."""
    wanted = {f"wants {reason}" for reason in intents.wanted(sentence)}
    return frozenset(wanted | {f"rule {reason}" for reason in order_rules.reasons(sentence)})


def _features(text: str, signs: frozenset[str]) -> tuple[dict[str, float], list[str]]:
    for mark, form in _MASKS:
        text = form.sub(mark, text)
    tokens = _TOKEN.findall(text)[:_MOST_TOKENS]
    kinds = sorted(sign for sign in signs if " " not in sign)
    values = dict.fromkeys(signs, 1.0)
    values |= dict.fromkeys((f"{a}+{b}" for a, b in itertools.combinations(kinds, 2)), 1.0)
    values |= dict.fromkeys((name for name, form in _FORMS.items() if form.search(text)), 1.0)
    values |= dict.fromkeys((f"<{limit} words" for limit in _LENGTHS if len(tokens) < limit), 1.0)
    return values, _grams(tokens)


def _grams(tokens: list[str]) -> list[str]:
    words = list(_scoped(tokens))
    grams = [f"w {word}" for word in words]
    grams += [f"w {first} {second}" for first, second in itertools.pairwise(words)]
    grams += [f"o {' '.join(tokens[:length])}" for length in (1, 2) if len(tokens) >= length]
    return grams + [f"c {part}" for word in words for part in _parts(word.lstrip("!"))]


def _scoped(tokens: list[str]) -> Iterator[str]:
    """The words; those that something forbids begin with an exclamation mark."""
    reach = 0
    for token in tokens:
        yield f"!{token}" if reach and not _FORBIDS.match(token) else token
        reach = _REACH if _FORBIDS.match(token) else max(0, reach - 1)


def _parts(word: str) -> Iterator[str]:
    """Parts of a word that is long or not written in plain letters."""
    if word.isascii() and len(word) < _SHORTEST:
        return
    marked = f"^{word}$"
    length = _IDEOGRAMS if _IDEOGRAM.match(word) else _PART
    for at in range(len(marked) - length + 1):
        yield marked[at : at + length]
