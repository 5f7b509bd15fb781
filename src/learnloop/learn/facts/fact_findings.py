"""What of an answer holds: each fact with the words it rests on, or why it is kept aside. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from learnloop.learn.facts import support
from learnloop.learn.facts.answers import ReadFact
from learnloop.learn.facts.requests import Known
from learnloop.learn.language.words import own_words
from learnloop.learn.lessons import drafts, meaning, similarity
from learnloop.models.fact import Finding, Judged
from learnloop.models.ids import draft_id
from learnloop.wire import redact
from learnloop.wire.text import cut

Doc = dict[str, Any]
Restated = Callable[[str], str]
"""Gives the sentence that says a fact already; empty where none does."""
_SAID, _WORDS = 2000, 500
_UNSUPPORTED = "fewer than half of its words stand in what was typed"
_NOWHERE = "it names no prompt that was asked about"
_STRANGE = "it names {}, which was not given"
_IMPORT = re.compile(r"(?<!\w)@[\w~./\\-]+")  # an agent's file takes another one in with it
_IMPORTS = "it names with @ what was not typed"
_TURNED = "it asks for what was ruled out, or the other way round"
_SECRET = "it contains blacked-out text"
_REMOVED = " removed]"
"""How a text ends that redaction puts in place of another."""
_KNOWN = "it is known already"
_TWICE = "another fact of this answer says the same"
_PLACE = re.compile(r"(same as|contradicts|said in) (.+)")


class TypedPrompt(NamedTuple):
    """A prompt that a model was asked about."""

    event_id: str
    ts: str
    session_id: str
    words: str
    """What was sent of it: the person's own words."""
    before: Mapping[str, Any] = {}
    """The turn before it, as `draft_from_candidate` takes it."""


class Checks(NamedTuple):
    """What facts are held against."""

    known: Known = Known()
    """What the model was given besides the prompts."""
    restated: Restated = lambda _: ""
    extras: Sequence[str] = ()
    """Further forms of secrets."""


def of_prompts(
    facts: Sequence[ReadFact], sources: Mapping[str, TypedPrompt], checks: Checks
) -> list[Finding]:
    """The findings of the first stage. Words may come from all that was given, the quote from a prompt."""
    findings: list[Finding] = []
    taken_ids: set[str] = set()
    given = _given(sources, checks.known)
    for fact in facts:
        finding = _found(fact)
        rested = _prompts_of(fact, sources)
        named = [sources[name].event_id for name in fact.names if name in sources]
        finding["event_ids"] = [prompt.event_id for prompt, _ in rested] or named
        if rested:
            _ground(finding, rested, taken_ids)
            finding["folder"] = _named_folder(fact.scope, [prompt.words for prompt, _ in rested])
        fault = _placed(finding, fact.place, checks.known)
        fault = fault if named else _NOWHERE
        findings.append(_judged(finding, findings, checks, given, fault))
    return findings


def judgements(judged: Mapping[str, Sequence[str]], sources: Mapping[str, TypedPrompt]) -> list[Judged]:
    """What an answer says of the turns before the prompts that it was asked about."""
    return [
        {
            "event_id": prompt.event_id, "ts": prompt.ts, "words": cut(prompt.words, _WORDS),
            "says": list(judged[name]), "turn_id": str(prompt.before.get("turn_id", "")),
            "started": str(prompt.before.get("started", "")),
        }
        for name, prompt in sources.items()
        if name in judged
    ]  # fmt: skip


def of_facts(
    facts: Sequence[ReadFact], stored: Mapping[str, Doc], folders: Iterable[str], checks: Checks
) -> list[Finding]:
    """The findings of the second stage, from stored facts by the names that they were asked under."""
    findings: list[Finding] = []
    places = set(folders)
    for fact in facts:
        finding, sources = _found(fact), _facts_of(fact, stored)
        finding |= {
            "folder": _folder(fact.file, places),
            "event_ids": _each(event_id for source in sources for event_id in source["event_ids"]),
            "from": [source["id"] for source in sources],
            "evidence": _each_event(seen for source in sources for seen in source["evidence"]),
            "said": "\n".join(_each(source["said"] for source in sources)),
            "draft_id": next((source["draft_id"] for source in sources), ""),
            "sure": max((source["sure"] for source in sources), default=fact.sure),
            "when": next((list(source["when"]) for source in sources), []),
            "is_global": bool(sources) and all(source["is_global"] for source in sources),
        }  # fmt: skip
        fault = "" if sources else _NOWHERE
        findings.append(_judged(finding, findings, checks, finding["said"], fault))
    return findings


_Rested = tuple[TypedPrompt, support.Support]


def _found(fact: ReadFact) -> Finding:
    """What an answer itself says of a fact."""
    return {
        "text": fact.text, "kind": fact.kind, "status": "raw", "reason": "", "event_ids": [], "folder": "",
        "from": [], "evidence": [], "said": "", "draft_id": "", "sure": fact.sure,
        "is_global": fact.scope == "everywhere", "when": list(fact.when), "same_as": "", "contradicts": "",
    }  # fmt: skip


def _given(sources: Mapping[str, TypedPrompt], known: Known) -> str:
    """All words that a model was given."""
    traces = (
        (*source.before.get("files", ()), *source.before.get("commands", ())) for source in sources.values()
    )
    words = [source.words for source in sources.values()]
    return "\n".join([known.project, *words, *(name for trace in traces for name in trace),
                      *known.said.values(), *known.lessons.values()])  # fmt: skip


def _placed(finding: Finding, place: str, known: Known) -> str:
    """Note where a fact belongs among what is known; return why that cannot be, empty where it can."""
    way, which = match.groups() if (match := _PLACE.fullmatch(place)) else (place, "")
    if way == "said in" and which in known.said:
        finding["status"], finding["reason"] = "known", f"{which} says it already"
    elif way == "same as" and which in known.ids:
        finding["same_as"] = known.ids[which]
    elif way == "contradicts" and which in known.ids:
        finding["contradicts"] = known.ids[which]
    elif way != "new":
        return _STRANGE.format(f"“{place}”")
    return ""


def _prompts_of(fact: ReadFact, sources: Mapping[str, TypedPrompt]) -> list[_Rested]:
    """The prompts that a fact names, those first that have most of its words."""
    named = (sources[name] for name in dict.fromkeys(fact.names) if name in sources)
    passages = ((prompt, support.passage(fact.text, own_words(prompt.words))) for prompt in named)
    rested = ((prompt, passage) for prompt, passage in passages if passage)
    return sorted(rested, key=lambda pair: -len(pair[1].words))


def _facts_of(fact: ReadFact, stored: Mapping[str, Doc]) -> list[Doc]:
    """The stored facts that a fact names, those first that are drafts already."""
    named = [stored[name] for name in dict.fromkeys(fact.names) if name in stored]
    return sorted(named, key=lambda doc: doc["status"] != "draft")


def _ground(finding: Finding, rested: Sequence[_Rested], taken_ids: set[str]) -> None:
    """Note the words that a fact rests on, and the id of its draft: that of a draft of the same sentence."""
    finding["evidence"] = [
        drafts.build_evidence(
            passage.quote, event_id=prompt.event_id, ts=prompt.ts, session_id=prompt.session_id,
            before=prompt.before,
        ).as_json()
        for prompt, passage in rested
    ]  # fmt: skip
    prompt, passage = rested[0]
    own = own_words(prompt.words)
    sentence = meaning.normalise(own.restore(own.every[passage.at].text))
    name = draft_id(prompt.event_id, sentence)
    while name in taken_ids:  # a second fact of one sentence
        name = draft_id(name, sentence)
    taken_ids.add(name)
    finding["draft_id"] = name
    finding["said"] = cut("\n".join(passage.said for _, passage in rested), _SAID)


def _judged(
    finding: Finding, before: Iterable[Finding], checks: Checks, given: str, fault: str
) -> Finding:  # fmt: skip
    """The finding with its status and, where it is kept aside, the reason."""
    finding["text"] = words = redact.cleaned(finding["text"], checks.extras)
    if reason := fault or _unsupported(finding, words, given):
        finding["status"], finding["reason"] = "unsupported", reason
    elif finding["status"] == "raw" and not finding["same_as"]:
        if checks.restated(words):
            finding["status"], finding["reason"] = "known", _KNOWN
        elif any(
            other["status"] == "raw" and similarity.says_the_same(other["text"], words) for other in before
        ):
            finding["status"], finding["reason"] = "merged", _TWICE
    return finding


def _unsupported(finding: Finding, words: str, given: str) -> str:
    """Why the words do not rest on what was given; empty where they do."""
    if _REMOVED in words:
        return _SECRET
    if not finding["evidence"] or not support.is_supported(words, given):
        return _UNSUPPORTED
    if strange := support.strange_name(words, given):
        return _STRANGE.format(f"“{strange}”")
    if not set(_IMPORT.findall(words)) <= set(_IMPORT.findall(finding["said"])):
        return _IMPORTS
    return _TURNED if support.is_turned(words, finding["evidence"][0]["quote"]) else ""


def _named_folder(scope: str, prompts: Iterable[str]) -> str:
    """The folder that a scope is, if a prompt names it; empty for the whole project."""
    folder = scope.removeprefix("./").strip("/")
    is_path = folder not in ("", "project", "everywhere") and ".." not in folder.split("/")
    return folder if is_path and any(folder in words for words in prompts) else ""


def _folder(file: str, places: set[str]) -> str:
    """The folder of a file that an answer names, if the session wrote there; else the whole project."""
    folder = file.rpartition("/")[0]
    return folder if folder in places else ""


def _each(items: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(items))


def _each_event(evidence: Iterable[Doc]) -> list[Doc]:
    return list({seen["event_id"] + seen["quote"]: seen for seen in evidence}.values())
