"""What is offered to be learned: blocks and lessons called so in messages and prompts, and discoveries."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from learnloop.ingest import turns
from learnloop.ingest.effects import Offered, Refused
from learnloop.learn.offers import blocks, discoveries, explicit, extract, knowledge
from learnloop.learn.offers.plain_yaml import Malformed, YamlMapping
from learnloop.models.lesson import Lesson

Doc = dict[str, Any]
_WORDS = {"turn_end": "message", "subagent_end": "message", "prompt": "prompt"}
"""Where the kinds of events hold blocks."""


def of_event(view: Doc, event: Doc) -> list[Offered | Refused]:
    """What an event's words offer; nothing, at the price of two substring tests, for nearly every event."""
    words = event["payload"].get(_WORDS.get(event["kind"], ""), "")
    if not isinstance(words, str):
        return []
    said = explicit.find_explicit(words)
    if not said and not blocks.may_contain_block(words):
        return []
    before = {} if event["kind"] == "prompt" else turns.before(view)
    if event.get("agent_type"):
        before["agent"] = event["agent_type"]
    return [*_read(event, words, before), *_called_so(event, said, before)]


def without_blocks(words: str) -> str:
    """A prompt without the blocks and sections of lessons that were pasted into it."""
    for block in blocks.find_blocks(words):
        words = words.replace(block.body, "")
    return explicit.drop_sections(words)


def _called_so(event: Doc, said: list[explicit.ExplicitLesson], before: Doc) -> Iterator[Offered]:
    """The lessons that a message calls so; of a prompt, where it may be pasted, those of a section.

    What else a person says in a prompt is heard as the person's words.
    """
    is_prompt = event["kind"] == "prompt"
    told = [one for one in said if one.in_section or not is_prompt]
    origin = _origin(event, "", 0, "", before)
    trust = "external" if is_prompt else "agent"
    for lesson in extract.from_message(told, replace(origin, trust=trust)):
        yield Offered(turns.from_event(lesson.as_json(), event))


def _read(event: Doc, words: str, before: Doc) -> Iterator[Offered | Refused]:
    for number, block in enumerate(blocks.find_blocks(words)):
        rule = f"block:{block.tag.lower()}"
        try:
            read = block.read()
            made = _draft(read, _origin(event, rule, number, block.body, before))
            yield Offered(turns.from_event(made.as_json(), event))
        except Malformed as error:
            reason = f"line {max(error.line, block.line)}: {error.reason}"
            yield Refused(f"{event['ts'][:10]} {event['session_id']}", f"[{block.tag}]\n{block.body}", reason)


def discovery(event: Doc) -> Offered | Refused:
    """A discovery that an agent told by `learn discover`; anything else that came that way is refused."""
    payload = event["payload"]
    before = {"agent": event.get("agent_type") or payload.get("agent", "")}
    fields = {str(name): value for name, value in payload.items() if value not in (None, "", [])}
    origin = _origin(event, "discovery", 0, str(payload.get("details", "")), before)
    try:
        return Offered(discoveries.lesson_from_discovery(YamlMapping(fields), origin).as_json())
    except Malformed as error:
        return Refused(f"{event['ts'][:10]} discovery", str(payload)[:4000], error.reason)


def _draft(read: YamlMapping, origin: knowledge.Origin) -> Lesson:
    if origin.rule == "block:discovery" or _is_discovery(read.value):
        return discoveries.lesson_from_discovery(read, origin)
    return knowledge.lesson_from_block(read, origin)


def _is_discovery(fields: Doc) -> bool:
    return "summary" in fields and "details" in fields and "label" not in fields


def _origin(event: Doc, rule: str, number: int, quote: str, before: Doc) -> knowledge.Origin:
    return knowledge.Origin(
        event_id=event["id"], ts=event["ts"], rule=rule, session_id=event["session_id"],
        project=str(event.get("project", "")), number=number, quote=quote, before=before,
    )  # fmt: skip
