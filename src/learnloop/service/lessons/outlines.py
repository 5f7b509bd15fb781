"""What is asked of every lesson now and then, kept so that nobody has to read all of them for it."""

from typing import NamedTuple

from learnloop.learn.lessons import fingerprint
from learnloop.service.lessons import documents


class Outline(NamedTuple):
    """One lesson, as far as it is compared, counted and dated."""

    said: str
    """Its statement as statements are compared; empty where it has none, or is out of use."""
    updated: str
    recurred: int
    """How often the mistake came back although the lesson is there."""
    harmful: int
    """How often a recall was said to do harm."""
    last_recalled: str


def outlines(root: str) -> dict[str, Outline]:
    """The outline of every lesson, by id."""
    return documents.lessons(root).each(outline)


def outline(_id: str, doc: documents.Document) -> Outline:
    """The outline of a stored document."""
    usage = doc.get("usage") or {}
    return Outline(
        said=_said(doc),
        updated=str(doc.get("updated", "")),
        recurred=int(usage.get("recurred") or 0),
        harmful=int(usage.get("harmful") or 0),
        last_recalled=usage.get("last_recalled") or "",
    )


def _said(doc: documents.Document) -> str:
    said = str(doc.get("statement") or "") if doc.get("status") in ("draft", "active") else ""
    return str(doc.get("_normal") or fingerprint.normalise(said)) if said else ""
