"""What a model is asked for a check: the language on a page, and acts from a call that sees none. Pure."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from learnloop.learn.facts import requests
from learnloop.learn.facts.requests import Doc, Request
from learnloop.models.base import Document
from learnloop.models.lesson_check import CheckRule

_RETRY = """
The check below was tried on acts that somebody wrote who had not seen it. Write it anew so that what keeps to
the lesson passes and what breaks it is caught; where an act is wrong about the lesson, leave it."""


class Act(Document):
    """One act of an agent, as a model writes it down."""

    run: str = Field(default="", max_length=4000)
    result: str = Field(default="", max_length=4000)
    write: str = Field(default="", max_length=400)
    text: str = Field(default="", max_length=20_000)
    old: str = Field(default="", max_length=20_000)
    read: str = Field(default="", max_length=400)
    call: str = Field(default="", max_length=200)
    input: dict[str, Any] = Field(default_factory=dict)
    say: str = Field(default="", max_length=20_000)


class Examples(Document):
    """Turns that break a lesson, and turns that keep to it."""

    breaks: tuple[tuple[Act, ...], ...] = Field(min_length=1, max_length=12)
    keeps: tuple[tuple[Act, ...], ...] = Field(min_length=1, max_length=16)


class Proposed(Document):
    """The rules that a model proposes; none where nothing can be checked."""

    check: tuple[CheckRule, ...] = Field(max_length=8)


def for_check(about: Doc, tried: Sequence[Doc] = ()) -> Request:
    """Ask for a check; with what was `tried` for it to be mended."""
    task = requests.page("check_language") + (_RETRY if tried else "")
    return requests.asked("check", task, [about, *tried], Proposed.model_json_schema())


def for_acts(about: Doc, sentences: Sequence[str] = ()) -> Request:
    """Ask for acts on which a check is tried that this call does not see; with its `sentences`, for its
    faults."""
    task = requests.page("check_faults" if sentences else "check_acts")
    given: list[Doc] = [about, *({"rule": sentence} for sentence in sentences)]
    return requests.asked("acts", task, given, Examples.model_json_schema())
