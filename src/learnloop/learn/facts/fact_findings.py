"""What of an answer holds: each fact with the words it rests on, or why it is kept aside. Pure.

A finding is what an event of kind `facts` carries of one fact:
{text, kind, status, reason, event_ids, folder, from, evidence, said, draft_id}.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from learnloop.learn.facts import support
from learnloop.learn.facts.answers import ReadFact
from learnloop.learn.language.words import own_words
from learnloop.learn.lessons import contradictions, drafts, fingerprint, similarity
from learnloop.models.ids import draft_id
from learnloop.wire import redact
from learnloop.wire.text import cut

Doc = dict[str, Any]
Restated = Callable[[str], str]
"""Gives the sentence that says a fact already; empty where none does."""
_SAID = 2000
_UNSUPPORTED = "fewer than half of its words stand in what was typed"
_NOWHERE = "it names no prompt that was asked about"
_IMPORT = re.compile(r"(?<!\w)@[\w~./\\-]+")  # an agent's file takes another one in with it
_IMPORTS = "it names with @ what was not typed"
_TURNED = "it asks for what was ruled out, or the other way round"
_SECRET = "it contains blacked-out text"
_REMOVED = " removed]"
"""How a text ends that redaction puts in place of another."""
_KNOWN = "it is known already"
_TWICE = "another fact of this answer says the same"


class TypedPrompt(NamedTuple):
    """A prompt that a model was asked about."""

    event_id: str
    ts: str
    session_id: str
    words: str
    """What was sent of it: the person's own words."""
    before: Mapping[str, Any] = {}
    """The turn before it, as `draft_from_candidate` takes it."""


def of_prompts(
    facts: Sequence[ReadFact],
    sources: Mapping[str, TypedPrompt],
    restated: Restated,
    extras: Sequence[str] = (),
) -> list[Doc]:
    """The findings of the first stage."""
    findings: list[Doc] = []
    taken_ids: set[str] = set()
    for fact in facts:
        rested = _prompts_of(fact, sources)
        named = [sources[name].event_id for name in fact.names if name in sources]
        event_ids = [prompt.event_id for prompt, _ in rested] or named
        finding: Doc = {"text": fact.text, "kind": fact.kind, "event_ids": event_ids}
        if rested:
            finding |= _grounds(rested, taken_ids)
        fault = _NOWHERE if fact.names and not named else ""
        findings.append(_judged(finding, findings, restated, extras, fault))
    return findings


def holds_redacted(words: str) -> bool:
    """Whether something was blacked out in a text."""
    return _REMOVED in words


def of_facts(
    facts: Sequence[ReadFact],
    raw: Mapping[str, Doc],
    restated: Restated,
    folders: Iterable[str],
    extras: Sequence[str] = (),
) -> list[Doc]:
    """The findings of the second stage, from stored facts by the names that they were asked under."""
    findings: list[Doc] = []
    places = set(folders)
    for fact in facts:
        sources = _facts_of(fact, raw)
        finding = {
            "text": fact.text, "kind": fact.kind, "folder": _folder(fact.file, places),
            "event_ids": _each(event_id for source in sources for event_id in source["event_ids"]),
            "from": [source["id"] for source in sources],
            "evidence": _each_event(seen for source in sources for seen in source["evidence"]),
            "said": "\n".join(_each(source["said"] for source in sources)),
            "draft_id": sources[0]["draft_id"] if sources else "",
        }  # fmt: skip
        findings.append(_judged(finding, findings, restated, extras, "" if sources else _NOWHERE))
    return findings


_Rested = tuple[TypedPrompt, support.Support]


def _prompts_of(fact: ReadFact, sources: Mapping[str, TypedPrompt]) -> list[_Rested]:
    """The prompts that a fact names, most of its words first; where it names none, the one with most."""
    names = [name for name in dict.fromkeys(fact.names) if name in sources] if fact.names else sources
    passages = ((sources[name], support.passage(fact.text, own_words(sources[name].words))) for name in names)
    rested = sorted(
        ((prompt, passage) for prompt, passage in passages if passage), key=lambda pair: -len(pair[1].words)
    )
    return rested if fact.names else rested[:1]


def _facts_of(fact: ReadFact, raw: Mapping[str, Doc]) -> list[Doc]:
    if fact.names:
        return [raw[name] for name in dict.fromkeys(fact.names) if name in raw]
    words = support.content_words(fact.text)
    shared = {name: len(words & support.content_words(doc["text"])) for name, doc in raw.items()}
    return [raw[name] for name, count in shared.items() if count and count >= support.LEAST * len(words)]


def _grounds(rested: Sequence[_Rested], taken_ids: set[str]) -> Doc:
    """The words that a fact rests on, and the id of its draft: that of the draft of the same sentence."""
    evidence = [
        drafts.build_evidence(
            passage.quote, event_id=prompt.event_id, ts=prompt.ts, session_id=prompt.session_id,
            before=prompt.before,
        ).as_json()
        for prompt, passage in rested
    ]  # fmt: skip
    prompt, passage = rested[0]
    own = own_words(prompt.words)
    sentence = fingerprint.normalise(own.restore(own.every[passage.at].text))
    name = draft_id(prompt.event_id, sentence)
    while name in taken_ids:  # a second fact of one sentence
        name = draft_id(name, sentence)
    taken_ids.add(name)
    said = cut("\n".join(passage.said for _, passage in rested), _SAID)
    return {"evidence": evidence, "said": said, "draft_id": name}


def _judged(
    finding: Doc, before: Iterable[Doc], restated: Restated, extras: Sequence[str], fault: str
) -> Doc:
    """The finding with its status and, where it is kept aside, the reason."""
    words = redact.cleaned(finding["text"], extras)
    status, reason = "raw", fault
    if fault:
        status = "unsupported"
    elif holds_redacted(words):
        status, reason = "unsupported", _SECRET
    elif not finding.get("evidence") or not support.is_supported(words, finding["said"]):
        status, reason = "unsupported", _UNSUPPORTED
    elif not set(_IMPORT.findall(words)) <= set(_IMPORT.findall(finding["said"])):
        status, reason = "unsupported", _IMPORTS
    elif any(contradictions.is_opposite(words, seen["quote"]) for seen in finding["evidence"]):
        status, reason = "unsupported", _TURNED
    elif restated(words):
        status, reason = "known", _KNOWN
    elif any(other["status"] == "raw" and similarity.says_the_same(other["text"], words) for other in before):
        status, reason = "merged", _TWICE
    return {"folder": "", "from": [], "evidence": [], "said": "", "draft_id": "", **finding,
            "text": words, "status": status, "reason": reason}  # fmt: skip


def _folder(file: str, places: set[str]) -> str:
    """The folder of a file that an answer names, if the session wrote there; else the whole project."""
    folder = file.rpartition("/")[0]
    return folder if folder in places else ""


def _each(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))


def _each_event(evidence: Iterable[Doc]) -> list[Doc]:
    return list({seen["event_id"] + seen["quote"]: seen for seen in evidence}.values())
