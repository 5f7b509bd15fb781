"""The filter language of lists, for console and command line."""

from learnloop.service.lessons.filters import FIELDS, Field, Query, completions, last_word, parse

__all__ = ["FIELDS", "Field", "Query", "completions", "last_word", "parse"]
