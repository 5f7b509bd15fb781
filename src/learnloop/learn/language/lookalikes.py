"""Folds letters that look alike into one, so that a word is recognised however it is written. Pure."""

import html
import re
import unicodedata
from functools import lru_cache

_ALIKE = {
    alike: plain
    for plain, group in {
        "a": "аαɑΑАꓮ", "b": "вΒВƄ", "c": "сϲСꓚ", "d": "ԁɗ", "e": "еεΕЕꓰ℮", "g": "ɡց", "h": "һНΗ",
        "i": "іιıɩΙІӀ", "j": "јЈ", "k": "кκΚК", "l": "ӏǀ", "m": "мΜМ", "n": "нηΝ", "o": "оοσΟОօ", "p": "рρΡР",
        "q": "ԛ", "s": "ѕЅꓢ", "t": "тτΤТ", "u": "υս",
        "v": "ѵν", "w": "ԝωѡ", "x": "хχΧХ", "y": "уγΥУ", "z": "ΖᴢƵ",
        "-": "‐‑‒–—−", "/": "⁄∕⧸", "|": "∣❘¦ǀ", ":": "∶꞉",
    }.items()
    for alike in group
}  # fmt: skip
_LEET = str.maketrans("013457@$", "oieastas")
_LEET_WORD = re.compile(r"\b(?=\w*[^\W\d_]{2}|\w*[^\W\d_][013457][^\W\d_])[\w@$]*[013457@$][\w@$]*\b")
_DOTTED, _SPACED = (
    re.compile(rf"(?<=(?<![^\W_])[^\W_]){between}(?=[^\W_](?![^\W_]))") for between in ("[.*_-]", " ")
)
"""What stands between letters that stand alone."""
_GAPS = re.compile(r"[\s_]+")


def fold(text: str) -> str:
    """The text in small plain letters; every character stays in its place."""
    return text.lower() if text.isascii() else "".join(map(_plain, text))


def fold_words(text: str) -> str:
    """The words of a text in plain letters: what shows nothing is dropped, digits in words become letters."""
    folded = fold(
        unicodedata.normalize("NFC", html.unescape(_SPACED.sub("", _DOTTED.sub("", drop_unseen(text)))))
    )
    folded = "".join(char for char in folded if unicodedata.category(char) != "Mn")
    return _GAPS.sub(" ", _LEET_WORD.sub(lambda word: word[0].translate(_LEET), folded))


def drop_unseen(text: str) -> str:
    """The text without characters that show nothing."""
    if text.isascii():
        return text
    return "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in _UNSEEN)


_UNSEEN = ("Cf", "Cc", "Co", "Cn")


@lru_cache(4096)
def _plain(character: str) -> str:
    if character.isascii():
        return character.lower()
    if alike := _ALIKE.get(character):
        return alike
    plain = unicodedata.normalize("NFKD", character)[:1]
    return plain.lower() if plain.isascii() and plain.strip() else character.lower()[:1] or character
