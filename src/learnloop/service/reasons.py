"""Why drafts are turned down: the standing words that console and command line offer."""

from learnloop.learn.reasons import OTHER, REJECTING, counted, normal

__all__ = ["OTHER", "REJECTING", "counted", "normal"]
