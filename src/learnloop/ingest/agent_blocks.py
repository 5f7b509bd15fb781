"""Lessons that agents offer: blocks and labelled lessons in messages and prompts, and discoveries."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from learnloop.ingest import turns
from learnloop.ingest.effects import DraftOffered, SetAside
from learnloop.ingest.running import SessionView
from learnloop.learn.offers import discovery_drafts, extract, knowledge, offered_blocks
from learnloop.learn.offers.plain_yaml import Malformed, YamlMapping
from learnloop.models import Lesson

Doc = dict[str, Any]
_WORDS = {"answer": "message", "turn_end": "message", "subagent_end": "message", "prompt": "prompt"}
"""The payload field that may contain blocks, by kind of event."""


def offers(view: SessionView, event: Doc) -> list[DraftOffered | SetAside]:
    """Return what an event's words offer: nearly always nothing, after two substring tests."""
    words = event["payload"].get(_WORDS.get(event["kind"], ""), "")
    if not isinstance(words, str):
        return []
    labelled = extract.find_explicit(words)
    if not labelled and not offered_blocks.may_contain_block(words):
        return []
    before = {} if event["kind"] == "prompt" else turns.before(view)
    if event.get("agent_type"):
        before["agent"] = event["agent_type"]
    return [*_read(event, words, before), *_labelled_lessons(event, labelled, before)]


def without_blocks(words: str) -> str:
    """A prompt without the blocks and sections of lessons that were pasted into it."""
    for block in offered_blocks.find_blocks(words):
        words = words.replace(block.body, "")
    return extract.drop_sections(words)


def _labelled_lessons(
    event: Doc, labelled: list[extract.ExplicitLesson], before: Doc
) -> Iterator[DraftOffered]:
    """Yield the lessons that a message labels as lessons; of a prompt only those in a section.

    A section in a prompt may be pasted. Everything else in a prompt counts as the person's own words.
    """
    is_prompt = event["kind"] == "prompt"
    usable = [lesson for lesson in labelled if lesson.in_section or not is_prompt]
    origin = _origin(event, "", 0, "", before)
    trust = "external" if is_prompt else "agent"
    for lesson in extract.from_message(usable, replace(origin, trust=trust)):
        yield DraftOffered(turns.from_event(lesson.as_json(), event))


def _read(event: Doc, words: str, before: Doc) -> Iterator[DraftOffered | SetAside]:
    for number, block in enumerate(offered_blocks.find_blocks(words)):
        rule = f"block:{block.tag.lower()}"
        try:
            fields, origin = block.read(), _origin(event, rule, number, block.body, before)
            names = fields.value.keys()
            has_summary = names >= {"summary", "details"} and "label" not in names
            is_discovery = rule == "block:discovery" or has_summary
            make = discovery_drafts.lesson_from_discovery if is_discovery else knowledge.lesson_from_block
            yield DraftOffered(turns.from_event(make(fields, origin).as_json(), event))
        except Malformed as error:
            reason = f"line {max(error.line, block.line)}: {error.reason}"
            source = f"block {event['ts'][:10]} {event['session_id']}"
            yield SetAside(source, f"[{block.tag}]\n{block.body}", reason)


def offered(event: Doc) -> DraftOffered | SetAside:
    """Return the draft of a discovery or a proposal that an agent recorded, or why it is refused."""
    payload, kind = event["payload"], event["kind"]
    quoted, make = OFFERING[kind]
    before = {"agent": event.get("agent_type") or payload.get("agent", "")}
    fields = {str(name): value for name, value in payload.items() if value not in (None, "", [])}
    origin = _origin(event, kind, 0, str(payload.get(quoted, "")), before)
    try:
        return DraftOffered(make(YamlMapping(fields), origin).as_json())
    except Malformed as error:
        return SetAside(f"block {event['ts'][:10]} {kind}", str(payload)[:4000], error.reason)


OFFERING: dict[str, tuple[str, Callable[[YamlMapping, knowledge.Origin], Lesson]]] = {
    "discovery": ("details", discovery_drafts.lesson_from_discovery),
    "proposal": ("statement", knowledge.lesson_from_block),
}
"""The kinds of events that are an offer: the field with the agent's words, and what makes the draft."""


def _origin(event: Doc, rule: str, number: int, quote: str, before: Doc) -> knowledge.Origin:
    return knowledge.Origin(
        event_id=event["id"], ts=event["ts"], rule=rule, session_id=event["session_id"],
        project=str(event.get("project", "")), number=number, quote=quote, before=before,
    )  # fmt: skip
