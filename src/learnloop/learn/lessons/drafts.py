"""Makes a draft lesson of a sentence that a person typed, and of the turn before it. Pure."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from learnloop.learn.hear.candidates import STANDING, ScoredSentence
from learnloop.learn.language import lexicon, words
from learnloop.learn.lessons import (
    call_patterns,
    impact,
    meaning,
    scorer,
    trigger_choice,
    trigger_words,
    triggers,
)
from learnloop.models.ids import draft_id
from learnloop.models.lesson import Evidence, Lesson, Triggers
from learnloop.wire.text import cut

MOST_EVIDENCE = 20
_QUOTE = 600
_FAINT = 0.25
"""A statement with a smaller chance is a sentence that happens to stand alone."""
_FIRM = re.compile(r"\b(?:always|never|(?:don't|do not) ever)\b", re.I)
_CATEGORIES: list[tuple[str, str]] = lexicon.table("categories")


def draft_from_candidate(
    own: words.OwnWords, candidate: ScoredSentence, *, event_id: str, ts: str, session_id: str, project: str,
    before: Mapping[str, Any], source: str = "",
) -> Lesson:  # fmt: skip
    """The draft of a sentence, in the person's own words where they stand alone.

    `before` is the turn before, with `task`, `files`, `commands`, `failures`, `written`, `refusal`, `agent`
    and `transcript_path`, and the newest calls of the project as `history`.
    """
    worded = candidate.worded
    statement = worded.statement if candidate.chance >= _FAINT else ""
    quote = own.passage(candidate.at, worded.sentences)
    shown = statement or f"“{candidate.sentence}”"
    reach = impact.guess(quote, before.get("files", ()), project)
    is_standing = candidate.form == STANDING
    weight = _priority(is_standing, f"{quote} {statement}")
    classified = _classify(is_standing, quote, statement)
    return _draft(
        statement, shown, quote, reach,
        id=draft_id(event_id, meaning.normalise(candidate.sentence)),
        source=source or f"said:{candidate.form}", created=ts, updated=ts,
        kind=classified.kind, content=classified.content,
        priority=weight.priority, proposed_priority=weight.proposed,
        category=category_of(shown), triggers=_triggers(statement, quote, own.text, before, project),
        example=worded.example or None, confidence=candidate.chance,
        trust="external" if own.quotes_others(own.every[candidate.at].text) else "user",
        evidence=(build_evidence(quote, event_id=event_id, ts=ts, session_id=session_id, before=before),),
    )  # fmt: skip


def _draft(statement: str, shown: str, source_words: str, reach: impact.Reach, **fields: Any) -> Lesson:
    """A draft with its score, and with the fields that follow from its words."""
    lesson = Lesson(
        statement=statement, needs_words=not statement,
        title=cut(shown.rstrip("."), 100), description=cut(f"From: {source_words}", 1000),
        **reach._asdict(), keywords=trigger_words.content_words(shown),
        fingerprint=meaning.fingerprint_of(shown, reach.scope, reach.project),
        check=call_patterns.derive(statement), **fields,
    )  # fmt: skip
    return scorer.with_score(lesson)


def draft_from_recurring(
    statement: str, title: str, chance: float, *, evidence: Sequence[Mapping[str, Any]], project: str,
    external: bool = False,
) -> Lesson:  # fmt: skip
    """The draft for a recurring correction; words that hardly anybody keeps (`chance`) are its title only.

    `evidence` is sorted oldest first. Without a project the lesson is global.
    """
    statement = statement if chance >= _FAINT else ""
    latest = evidence[-1]
    derived = triggers.derive(
        statement, title, files=latest.get("files", ()), commands=latest.get("commands", ()), project=project
    )
    reach = impact.Reach("project" if project else "global", project, "")
    first_and_newest = (*evidence[:1], *evidence[1:][1 - MOST_EVIDENCE :])
    return _draft(
        statement, statement or title, title, reach,
        id=draft_id(evidence[0]["event_id"], "recurring"), source="recurring",
        created=evidence[0]["ts"], updated=latest["ts"], seen_count=len(evidence),
        priority="HIGH", category=category_of(title), triggers=derived,
        confidence=chance, trust="external" if external else "user",
        evidence=tuple(Evidence.model_validate(item) for item in first_and_newest),
    )  # fmt: skip


def build_evidence(
    quote: str, *, event_id: str, ts: str, session_id: str, before: Mapping[str, Any]
) -> Evidence:
    """The words and the turn before them, each part cut to its limit."""
    return Evidence(
        quote=cut(quote, _QUOTE), session_id=session_id, event_id=event_id, ts=ts,
        agent=before.get("agent") or "main", task=cut(before.get("task", ""), 300),
        files=tuple(before.get("files", ())[:10]),
        commands=tuple(cut(command, 200) for command in before.get("commands", ())[-5:]),
        failures=tuple(cut(failure, 200) for failure in before.get("failures", ())[-3:]),
        refusal=cut(before.get("refusal", ""), 300), transcript_path=before.get("transcript_path", ""),
    )  # fmt: skip


def category_of(text: str) -> str:
    """The subject of a lesson, by its words."""
    low = text.lower()
    return next(
        (name for name, pattern in _CATEGORIES if re.search(rf"(?<![\w.])(?:{pattern})\b", low)), "general"
    )


def _priority(is_standing: bool, words: str) -> impact.Weight:
    """The priority: by the risk that the words name, for a standing order also by its firmness."""
    weight = impact.weight("explicit" if is_standing else "correction", words)
    return weight._replace(priority="HIGH") if is_standing and _FIRM.search(words) else weight


def _triggers(statement: str, quote: str, said: str, before: Mapping[str, Any], project: str) -> Triggers:
    """Triggers from the words and the turn before, tried on the project's newest calls."""
    return triggers.derive(
        statement, quote, files=before.get("files", ()), commands=before.get("commands", ()),
        task=before.get("task", ""), project=project, said=said, written=before.get("written", {}),
        history=before.get("history", trigger_choice.Calls()),
    )  # fmt: skip


def _classify(is_standing: bool, quote: str, statement: str) -> impact.Classification:
    """The kind: a standing instruction is a preference unless it names its situation or a risk."""
    by_words = impact.classify(quote, statement)
    if is_standing and by_words.kind not in ("pattern", "warning"):
        return impact.Classification("preference")
    return by_words
