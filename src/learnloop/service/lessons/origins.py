"""Where lessons come from, for console and command line."""

from learnloop.learn.lessons.origins import origin_of, told

__all__ = ["origin_of", "told"]
