"""The patch documents in a decision."""

from collections.abc import Iterator, Mapping
from typing import Any

Doc = dict[str, Any]


def carried(args: Mapping[str, Any]) -> Iterator[Doc]:
    """The documents of patches in a decision's arguments; anything else is left out."""
    docs = args.get("patches")
    for doc in docs if isinstance(docs, list) else ():
        if isinstance(doc, dict) and isinstance(doc.get("id"), str):
            yield doc
