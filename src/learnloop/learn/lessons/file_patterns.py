"""File patterns: files that an instruction names, or those that were wrong in the turn before. Pure."""

import re
from collections.abc import Sequence

from learnloop.learn.language import lexicon
from learnloop.learn.lessons import named_files
from learnloop.learn.lessons.trigger_choice import PossibleTrigger
from learnloop.learn.lessons.trigger_words import WORD, Parts, is_conduct

_PART = re.compile(r"[A-Z]?[a-z\d]+|[A-Z]+")
_STYLE = lexicon.words("file_patterns.style")
"""Words about how code is written everywhere, not about what one file contains."""
UPDATE = re.compile(
    r"\b(?:updat\w*|bump\w*|regenerat\w*|forg[eo]t\w*|add(?:ed|s)?\b.{0,40}\bto|goes (?:with|in(?:to)?)"
    r"|(?:record|note|log|enter)\w* in|in sync)\b",
    re.I,
)
"""Says that a file has to change with others: it is noticed where the others are written."""
_MOST_FOLDERS = 3
_EVERYWHERE = lexicon.GENERIC | lexicon.NO_KEYWORDS | lexicon.PLAIN_ACTS
"""Words that are part of the names of files of any subject."""
_MANIFESTS = lexicon.listed("cfg ini json lock mod sum toml xml yaml yml")
"""Extensions of files that are told apart by name."""


def candidates(
    text: str, parts: Parts, files: Sequence[str], *, has_commands: bool
) -> list[PossibleTrigger]:  # fmt: skip
    """What of the files a lesson may be told at; `files` are those that the turn wrote, below the project.

    Named files come before a language, and that before what was written. Commands name no files.
    """
    against = named_files.named_patterns(f"{parts.unwanted}\n{parts.moment}", files, bare=True)
    orders = "" if UPDATE.search(f"{parts.wanted}\n{parts.plain}") else parts.plain
    plain = named_files.named_patterns(orders, files) or (
        named_files.things(f"{parts.moment}\n{parts.unwanted}\n{orders}", files)
    )
    if named := against or plain:
        return [PossibleTrigger("file", (pattern,), is_certain=bool(against)) for pattern in named]
    if has_commands:
        return []
    if is_conduct(text):
        return _of_written(_near(_words(parts.moment), files), code_wide=False)
    if extensions := named_files.of_languages(text, files):
        return [PossibleTrigger("file", (f"**/*.{extension}",)) for extension in extensions]
    words = _words(text)
    if near := _near(words, files):
        return _of_written(near, code_wide=False)
    is_style = not _STYLE.isdisjoint(words) and lexicon.NO_FILES.isdisjoint(words)
    return _of_written(_code(files), code_wide=is_style) if is_style else []


def is_about_one(text: str) -> bool:
    """Whether words may be about one kind of file: neither about code everywhere nor about no file at all."""
    return _words(text).isdisjoint(_STYLE | lexicon.NO_FILES)


def _words(text: str) -> set[str]:
    return {word.lower() for word in WORD.findall(text)}


def _of_written(files: Sequence[str], *, code_wide: bool) -> list[PossibleTrigger]:
    """The kinds of files that the turn wrote, in their folders; prose only if nothing else was written."""
    patterns = dict.fromkeys(_in_folders(_code(files) or files, code_wide=code_wide))
    return [PossibleTrigger("file", (pattern,), named=False, is_style=code_wide) for pattern in patterns]


def of_written(files: Sequence[str]) -> list[str]:
    """The patterns of the kinds of files that a turn wrote, in their folders."""
    return [option for each in _of_written(files, code_wide=False) for option in each.options]


def _code(files: Sequence[str]) -> list[str]:
    return [path for path in files if path.rpartition(".")[2].lower() not in lexicon.PROSE]


def _in_folders(files: Sequence[str], *, code_wide: bool) -> list[str]:
    """For each kind of file a pattern: everywhere for a rule on code in general, else in its folder."""
    folders = dict.fromkeys((path.rpartition("/")[0], _kind(path)) for path in files)
    if code_wide:
        return [f"**/{kind}" for _, kind in folders if kind[0] == "*"]
    if len(folders) > _MOST_FOLDERS and (top := named_files.common_folder(files)):
        return [f"{top}/**/{kind}" for _, kind in folders]
    return [
        f"**/{kind}" if kind[0] != "*" else f"{folder}/{kind}" if folder else f"/{path.rpartition('/')[2]}"
        for path in files
        for folder, kind in [(path.rpartition("/")[0], _kind(path))]
    ]


def _kind(path: str) -> str:
    name = path.rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    return f"*.{extension}" if dot and stem and extension.lower() not in _MANIFESTS else name


def _near(words: set[str], files: Sequence[str]) -> list[str]:
    """The files in whose path a word is."""
    stems = {word.removesuffix("s") for word in words - _EVERYWHERE if len(word) > 2}
    return [
        path for path in files if stems & {piece.lower().removesuffix("s") for piece in _PART.findall(path)}
    ]
