"""Why drafts are turned down: the standing words that console and command line offer."""

from learnloop.learn.lessons.reasons import LETTERS, OTHER, REJECTING, counted, normal, of_key

__all__ = ["LETTERS", "OTHER", "REJECTING", "counted", "normal", "of_key"]
