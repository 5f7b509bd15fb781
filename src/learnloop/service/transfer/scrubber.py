"""Removes sessions and a project from documents: their own records whole, from others every mention. Pure."""

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
    """Removes some sessions, and perhaps a project, from JSON values."""

    def __init__(self, sessions: Iterable[str], project: str = "") -> None:
        self.sessions = frozenset(sessions)
        self.project = project

    @cached_property
    def _mention(self) -> re.Pattern[str] | None:
        """Matches the forgotten names as whole words, not inside longer names."""
        names = [re.escape(name) for name in sorted(self.sessions, key=len, reverse=True)]
        patterns = [rf"(?<![\w-])(?:{'|'.join(names)})(?![\w-])"] if names else []
        if self.project:
            patterns.append(rf"(?<![\w.-]){re.escape(self.project)}(?![\w-]|\.\w)")
        return re.compile("|".join(patterns)) if patterns else None

    def owns(self, doc: Doc) -> bool:
        """Whether a record belongs to a forgotten session or project."""
        if doc.get("session_id") in self.sessions or doc.get("id") in self.sessions:
            return True
        return bool(self.project) and self.project in (doc.get("project"), doc.get("project_path"))

    def is_named_in(self, text: str) -> bool:
        """Whether a text contains a forgotten name."""
        return self._mention is not None and self._mention.search(text) is not None

    def is_named_in_file(self, data: bytes) -> bool:
        """Whether a file contains a forgotten name, in plain text or as JSON escapes it."""
        text = data.decode("utf-8", "replace")
        if self.is_named_in(text):
            return True
        escaped = json.dumps(self.project)[1:-1]
        return escaped != self.project and escaped in text

    def scrub(self, value: Any) -> Any:
        """A JSON value without forgotten records and names; None where the value itself goes."""
        if isinstance(value, str):
            return self._mention.sub(FORGOTTEN, value) if self._mention is not None else value
        if isinstance(value, list):
            others = (item for item in value if not isinstance(item, str) or item not in self.sessions)
            scrubbed = ((item, self.scrub(item)) for item in others)
            return [after for item, after in scrubbed if after is not None or item is None]
        if isinstance(value, dict):
            return None if self.owns(value) else self.scrub_entries(value)
        return value

    def scrub_entries(self, doc: Doc) -> Doc:
        """A record that stays, without forgotten entries and names."""
        left = {}
        for name, value in doc.items():
            if not self.is_named_in(name):
                scrubbed = self.scrub(value)
                if scrubbed is not None or value is None:
                    left[name] = scrubbed
        return left

    def lesson(self, doc: Doc) -> Doc | None:
        """A lesson without forgotten quotes; None where it goes as a whole.

        Drafts and rejected lessons go with their last quote. An approved lesson keeps the person's words, but
        no field that quotes.
        """
        left = self._without_quotes(doc)
        has_lost_all = bool(doc.get("evidence")) and not (left or {}).get("evidence")
        return None if has_lost_all and doc.get("status") in _UNDECIDED else left

    def _without_quotes(self, doc: Doc) -> Doc | None:
        if self.owns(doc):
            return None
        evidence = [item for item in doc.get("evidence", ()) if not self.owns(item)]
        left = self.scrub_entries({**doc, "evidence": evidence})
        if evidence or not doc.get("evidence"):
            return left
        left = {name: value for name, value in left.items() if name not in _QUOTING}
        if isinstance(left.get("_base"), dict):
            left["_base"] = {name: old for name, old in left["_base"].items() if name not in _BASE_WORDS}
        return left

    def sighting(self, doc: Doc) -> Doc | None:
        """A correction that was seen once, scrubbed; None where nothing of it is left."""
        lesson = self.lesson(doc.get("lesson", {}))
        seen = [item for item in doc.get("sightings", ()) if not self.owns(item)]
        if lesson is None or not seen:
            return None
        return self.scrub_entries({**doc, "lesson": lesson, "sightings": seen})

    def decision(self, doc: Doc, gone: Iterable[str]) -> Doc | None:
        """A decision, scrubbed and without the lessons in `gone`; None where it was about no other."""
        left = [lesson_id for lesson_id in doc.get("lesson_ids", ()) if lesson_id not in set(gone)]
        args = dict(doc.get("args", {}))
        if not left and (doc.get("lesson_ids") or (self.project and args.get("project") == self.project)):
            return None
        if isinstance(args.get("lesson"), dict):
            args["lesson"] = self._without_quotes(args["lesson"])
            if args["lesson"] is None:
                return None
        if isinstance(args.get("also"), dict):
            args["also"] = {name: part for name, part in args["also"].items() if name in left}
        return {
            **self.scrub_entries({**doc, "args": {}}),
            "lesson_ids": left,
            "args": self.scrub_entries(args),
        }

    def event(self, record: Doc, gone: Iterable[str]) -> Doc | None:
        """An event, scrubbed; None where it goes as a whole."""
        if self.owns(record):
            return None
        payload = record.get("payload", {})
        if record.get("kind") == "decision":
            decision = self.decision(payload, gone)
            if decision is None:
                return None
            return {**self.scrub_entries({**record, "payload": {}}), "payload": decision}
        return self.scrub_entries(record)
