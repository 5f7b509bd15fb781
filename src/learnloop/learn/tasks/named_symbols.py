"""The symbols that a person named in a request: identifiers, not files or the project. Pure."""

import re

from learnloop.learn.language import everyday, lexicon, words
from learnloop.models.task import Task

IDENTIFIER = re.compile(r"\b(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[a-z]+_[a-z_]\w+)\b")
_SYMBOL = re.compile(rf"`([A-Za-z_]\w+(?:\.[A-Za-z_]\w+)*)(?:\(\))?`|({IDENTIFIER.pattern})(?![\w./-])")
_EXTENSIONS = lexicon.PROSE.union(*lexicon.LANGUAGES.values())
_MOST, _READ = 3, 4_096


def named_symbols(task: Task) -> list[str]:
    """The first symbols in the person's own words, each in one spelling."""
    places = f"{task.project} {' '.join(task.files)}".lower()
    every = ("".join(forms) for forms in _SYMBOL.findall(words.own_words(task.input[:_READ]).text))
    symbols = {name.lower(): name for name in every if name.rpartition(".")[2] not in _EXTENSIONS}
    own = (name for low, name in symbols.items() if low not in places and not everyday.is_everyday(low))
    return list(own)[:_MOST]
