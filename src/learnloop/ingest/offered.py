"""What agents offer to be learned: blocks in messages and prompts, and discoveries told by their shell."""

from collections.abc import Iterator
from typing import Any

from learnloop.ingest import turns
from learnloop.ingest.effects import Offered, Refused
from learnloop.learn import blocks, discoveries, knowledge
from learnloop.learn.plain_yaml import Malformed, Read
from learnloop.models.lesson import Lesson

Doc = dict[str, Any]
_WORDS = {"turn_end": "message", "subagent_end": "message", "prompt": "prompt"}
"""Where the kinds of events hold blocks."""


def blocks_of(view: Doc, event: Doc) -> list[Offered | Refused]:
    """What an event's words offer; nothing, at the price of two substring tests, for nearly every event."""
    words = event["payload"].get(_WORDS.get(event["kind"], ""), "")
    if not isinstance(words, str) or not blocks.may_hold(words):
        return []
    before = {} if event["kind"] == "prompt" else turns.before(view)
    if event.get("agent_type"):
        before["agent"] = event["agent_type"]
    return list(_read(event, words, before))


def without_blocks(words: str) -> str:
    """A prompt without the blocks that were pasted into it: what is left is the person's own words."""
    for block in blocks.find(words):
        words = words.replace(block.body, "")
    return words


def _read(event: Doc, words: str, before: Doc) -> Iterator[Offered | Refused]:
    for number, block in enumerate(blocks.find(words)):
        rule = f"block:{block.tag.lower()}"
        try:
            read = block.read()
            yield Offered(_draft(read, _origin(event, rule, number, block.body, before)).as_json())
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
        return Offered(discoveries.lesson(Read(fields), origin).as_json())
    except Malformed as error:
        return Refused(f"{event['ts'][:10]} discovery", str(payload)[:4000], error.reason)


def _draft(read: Read, origin: knowledge.Origin) -> Lesson:
    if origin.rule == "block:discovery" or _is_discovery(read.value):
        return discoveries.lesson(read, origin)
    return knowledge.lesson(read, origin)


def _is_discovery(fields: Doc) -> bool:
    return "summary" in fields and "details" in fields and "label" not in fields


def _origin(event: Doc, rule: str, number: int, quote: str, before: Doc) -> knowledge.Origin:
    return knowledge.Origin(
        event_id=event["id"], ts=event["ts"], rule=rule, session_id=event["session_id"],
        project=str(event.get("project", "")), number=number, quote=quote, before=before,
    )  # fmt: skip
