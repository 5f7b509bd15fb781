"""The kinds of lessons as console and command line show and change them."""

from learnloop.learn.lessons.content import carried, display, facts, heading, problems
from learnloop.learn.lessons.trigger_limits import problem as trigger_problem
from learnloop.service.review.validation import says

__all__ = ["carried", "display", "facts", "heading", "problems", "says", "trigger_problem"]
