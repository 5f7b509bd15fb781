"""What a lesson of each kind holds besides its statement, and what each of its fields may be."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from learnloop.models.base import Document

ITEM_MAX, ITEMS_MAX, TITLE_MAX, FIELD_MAX = 160, 20, 100, 300
"""Characters of an item, items of a checklist, characters of its title and of any other field.

Everything that agents are told has to fit a call's budget (400 tokens, 1,600 characters) as a whole.
"""
SEVERITIES = ("low", "medium", "high", "critical")
FORMATS = ("checkbox", "numbered", "bulleted")


def _readable(text: str) -> str:
    if text and not any(map(str.isalnum, text)):
        raise ValueError("there is nothing to read in it")
    return text


_Text = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=FIELD_MAX), AfterValidator(_readable)
]
_Needed = Annotated[_Text, StringConstraints(min_length=1)]
_Item = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=ITEM_MAX),
    AfterValidator(_readable),
]
_Title = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=TITLE_MAX), AfterValidator(_readable)
]


class Checklist(Document):
    """What to go through before going on."""

    title: _Title = ""
    items: Annotated[tuple[_Item, ...], Field(min_length=1, max_length=ITEMS_MAX)]
    format: Literal["checkbox", "numbered", "bulleted"] = "checkbox"

    @field_validator("items", mode="before")
    @classmethod
    def _plain_items(cls, items: object) -> object:
        """Items that come as objects with a text are taken as that text."""
        if not isinstance(items, list | tuple):
            return items
        return tuple(item.get("text", item) if isinstance(item, Mapping) else item for item in items)

    @field_validator("format", mode="before")
    @classmethod
    def _known_format(cls, value: object) -> object:
        return "checkbox" if value == "checklist" else value


class Pattern(Document):
    """What to do in a situation."""

    situation: _Needed
    action: _Needed
    rationale: _Text = ""
    example: _Text = ""


class Warning_(Document):  # noqa: N801  # `Warning` is a builtin
    """What goes wrong and how to keep it from going wrong."""

    risk: _Needed
    severity: Literal["", "low", "medium", "high", "critical"] = ""
    detection: _Text = ""
    mitigation: _Text = ""

    @field_validator("severity", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value


class Requirement(Document):
    """What has to hold."""

    constraint: _Needed
    rationale: _Text = ""
    validation: _Text = ""


Content = Checklist | Pattern | Warning_ | Requirement
MODELS: dict[str, type[Checklist | Pattern | Warning_ | Requirement]] = {
    "checklist": Checklist,
    "pattern": Pattern,
    "warning": Warning_,
    "requirement": Requirement,
}


class ContentField(NamedTuple):
    """One field of a kind's content, as forms and the command line name it."""

    name: str
    label: str
    help: str
    is_required: bool = False
    is_list: bool = False
    choices: tuple[str, ...] = ()
    most: int = FIELD_MAX
    """Characters, in a list those of an item."""


CONTENT_FIELDS: dict[str, tuple[ContentField, ...]] = {
    "checklist": (
        ContentField("title", "list", "what the list is called", most=TITLE_MAX),
        ContentField("items", "items", "what to go through, in this order", True, True, most=ITEM_MAX),
        ContentField("format", "shown as", "how the list is shown", choices=FORMATS),
    ),
    "pattern": (
        ContentField("situation", "when", "the situation that it is about", True),
        ContentField("action", "do", "what is done then", True),
        ContentField("rationale", "why", "why it is done so"),
        ContentField("example", "example", "where it was seen"),
    ),
    "warning": (
        ContentField("risk", "risk", "what goes wrong", True),
        ContentField("severity", "severity", "how bad it is", choices=("", *SEVERITIES)),
        ContentField("detection", "noticed by", "how it is noticed"),
        ContentField("mitigation", "instead", "what keeps it from going wrong"),
    ),
    "requirement": (
        ContentField("constraint", "must hold", "what has to hold", True),
        ContentField("rationale", "why", "why it has to hold"),
        ContentField("validation", "verified", "how to verify it"),
    ),
    "preference": (),
    "fact": (),
}
"""The fields of each kind; a fact and a preference say everything in their statement."""


def is_empty(content: Mapping[str, Any] | None) -> bool:
    """Whether nothing is written in a content: how a list is shown is nothing written."""
    return not any(value for name, value in (content or {}).items() if name != "format")
