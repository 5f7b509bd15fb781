"""The filter language of lists, for console and command line."""

from learnloop.learn.filters import FIELDS, Field, Query, completions, last_word, parse

__all__ = ["FIELDS", "Field", "Query", "completions", "last_word", "parse"]
