"""Which open drafts files say already: those that agents read, and those that `facts.sources` names.

Looked up where lessons or files have changed; lists of drafts read what was found.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from learnloop.store import files
from learnloop.store.store import Store
from learnloop.wire import paths

if TYPE_CHECKING:  # lists of drafts load no pydantic
    from learnloop.settings import Settings

Doc = dict[str, Any]
_Found = dict[str, tuple[str, str]]
"""By draft a hash of the draft and of the files that were read, and the place; no place: none says it."""


def places(root: str) -> dict[str, str]:
    """Where a file says a draft, by the draft's id: `LEARNED.md:4`."""
    return {key: place for key, (_, place) in _stored(root).items() if place}


def look_up(root: str, drafts: Iterable[Doc], settings: "Settings") -> int:
    """Look up where files say drafts; return how many of these some file says.

    A draft is compared again only where it or a file has changed.
    """
    before = _stored(root)
    asked = [doc for doc in drafts if doc.get("statement") and not doc.get("claims")]
    places = dict(_looked_up(root, asked, settings, before))
    if places != before:
        files.replace(_path(root), [json.dumps(places).encode("ascii")], sync=False)
    return sum(bool(place) for _, place in places.values())


def _looked_up(
    root: str, drafts: list[Doc], settings: "Settings", before: _Found
) -> Iterator[tuple[str, tuple[str, str]]]:
    from learnloop.ingest import instruction_files
    from learnloop.learn.profile import beliefs

    store = Store(root)
    decisions = store.decisions(beliefs.concerns_trust) if drafts else []
    trusted = instruction_files.trusted(decisions)
    patches = list(store.documents("patches").values()) if drafts else []
    for project, of_project in groupby(sorted(drafts, key=_project), _project):
        read = instruction_files.sources([project], trusted, patches)
        sources = [*read, *instruction_files.named_files(decisions, project, settings)]
        signature = instruction_files.signature(sources)
        for doc in of_project:
            of = hashlib.sha256(f"{signature} {doc['statement']}".encode()).hexdigest()[:16]
            if before.get(doc["id"], ("",))[0] == of:
                yield doc["id"], before[doc["id"]]
                continue
            passage = next(iter(instruction_files.passages(doc["statement"], sources)), None)
            yield doc["id"], (of, f"{Path(passage.path).name}:{passage.line}" if passage else "")


def _project(doc: Doc) -> str:
    return str(doc.get("project", ""))


def _stored(root: str) -> _Found:
    try:
        stored = json.loads(files.read(_path(root)) or b"{}")
        return {key: (of, place) for key, (of, place) in stored.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def _path(root: str) -> Path:
    return Path(paths.known_facts(root), "said.json")
