"""What forgetting takes out of a document: all that belongs to sessions or a project, and every mention.

Pure. A record that belongs there goes as a whole; where another record only mentions them, the mention goes.
"""

import json
import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any

Doc = dict[str, Any]
FORGOTTEN = "[forgotten]"
_QUOTING = ("description", "context", "example", "counter_example", "keywords")
_BASE_WORDS = (*_QUOTING, "statement", "title")
_UNDECIDED = ("draft", "rejected")


class Scrubber:
    """The sessions and the project that are forgotten."""

    def __init__(self, sessions: Iterable[str], project: str = "") -> None:
        self.sessions = frozenset(sessions)
        self.project = project

    @cached_property
    def _mention(self) -> re.Pattern[str] | None:
        """Names of what is forgotten, whole: not as a part of a longer name."""
        names = [re.escape(name) for name in sorted(self.sessions, key=len, reverse=True)]
        patterns = [rf"(?<![\w-])(?:{'|'.join(names)})(?![\w-])"] if names else []
        if self.project:
            patterns.append(rf"(?<![\w.-]){re.escape(self.project)}(?![\w-]|\.\w)")
        return re.compile("|".join(patterns)) if patterns else None

    def owns(self, doc: Doc) -> bool:
        """Whether a record belongs to what is forgotten."""
        if doc.get("session_id") in self.sessions or doc.get("id") in self.sessions:
            return True
        return bool(self.project) and self.project in (doc.get("project"), doc.get("project_path"))

    def is_named_in(self, text: str) -> bool:
        """Whether a text, or a JSON text, names any of it."""
        return self._mention is not None and self._mention.search(text) is not None

    def is_named_in_file(self, data: bytes) -> bool:
        """Whether a file names any of it, in plain text or as JSON writes it."""
        text = data.decode("utf-8", "replace")
        if self.is_named_in(text):
            return True
        escaped = json.dumps(self.project)[1:-1]
        return escaped != self.project and escaped in text

    def scrub(self, value: Any) -> Any:
        """A JSON value without records that belong to it, and without its names; None where none is left."""
        if isinstance(value, str):
            return self._mention.sub(FORGOTTEN, value) if self._mention is not None else value
        if isinstance(value, list):
            scrubbed = ((item, self.scrub(item)) for item in value if not self._is_session(item))
            return [after for item, after in scrubbed if after is not None or item is None]
        if isinstance(value, dict):
            return None if self.owns(value) else self.scrub_entries(value)
        return value

    def _is_session(self, item: object) -> bool:
        return isinstance(item, str) and item in self.sessions

    def scrub_entries(self, doc: Doc) -> Doc:
        """A record that stays, without the entries that are about what is forgotten."""
        made = {}
        for name, value in doc.items():
            if not self.is_named_in(name):
                scrubbed = self.scrub(value)
                if scrubbed is not None or value is None:
                    made[name] = scrubbed
        return made

    def lesson(self, doc: Doc) -> Doc | None:
        """A lesson without the quotes of what is forgotten; None where it goes as a whole.

        What no one has decided on goes with its last quote. What a person approved stays in the person's
        words, without anything that quotes.
        """
        made = self._without_quotes(doc)
        has_lost_all = bool(doc.get("evidence")) and not (made or {}).get("evidence")
        return None if has_lost_all and doc.get("status") in _UNDECIDED else made

    def _without_quotes(self, doc: Doc) -> Doc | None:
        if self.owns(doc):
            return None
        evidence = [item for item in doc.get("evidence", ()) if not self.owns(item)]
        made = self.scrub_entries({**doc, "evidence": evidence})
        if evidence or not doc.get("evidence"):
            return made
        made = {name: value for name, value in made.items() if name not in _QUOTING}
        if isinstance(made.get("_base"), dict):
            made["_base"] = {name: old for name, old in made["_base"].items() if name not in _BASE_WORDS}
        return made

    def sighting(self, doc: Doc) -> Doc | None:
        """A correction seen once, without what is forgotten; None where nothing of it is left."""
        lesson = self.lesson(doc.get("lesson", {}))
        seen = [item for item in doc.get("sightings", ()) if not self.owns(item)]
        if lesson is None or not seen:
            return None
        return self.scrub_entries({**doc, "lesson": lesson, "sightings": seen})

    def decision(self, doc: Doc, gone: Iterable[str]) -> Doc | None:
        """A decision without the lessons that go; None where it was about no other."""
        left = [lesson_id for lesson_id in doc.get("lesson_ids", ()) if lesson_id not in set(gone)]
        if not left and doc.get("lesson_ids"):
            return None
        args = dict(doc.get("args", {}))
        if isinstance(args.get("lesson"), dict):
            args["lesson"] = self._without_quotes(args["lesson"])
            if args["lesson"] is None:
                return None
        return {
            **self.scrub_entries({**doc, "args": {}}),
            "lesson_ids": left,
            "args": self.scrub_entries(args),
        }

    def event(self, record: Doc, gone: Iterable[str]) -> Doc | None:
        """An event without what is forgotten; None where it goes as a whole."""
        if self.owns(record):
            return None
        payload = record.get("payload", {})
        if record.get("kind") == "decision":
            kept = self.decision(payload, gone)
            return (
                None if kept is None else {**self.scrub_entries({**record, "payload": {}}), "payload": kept}
            )
        return self.scrub_entries(record)
