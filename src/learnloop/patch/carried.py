"""The patches that a decision carries, as they stand after it."""

from collections.abc import Iterator, Mapping
from typing import Any

Doc = dict[str, Any]


def carried(args: Mapping[str, Any]) -> Iterator[Doc]:
    """The documents of patches in a decision's arguments; what is none is left out."""
    found = args.get("patches")
    for doc in found if isinstance(found, list) else ():
        if isinstance(doc, dict) and isinstance(doc.get("id"), str):
            yield doc
