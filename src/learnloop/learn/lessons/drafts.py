"""From a verdict to a draft lesson: a pure function of the words and of what the turn before touched."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from learnloop.learn.feedback.detect import PromptVerdict
from learnloop.learn.language import omissions, statement
from learnloop.learn.lessons import fingerprint, impact, scorer, triggers
from learnloop.models.ids import draft_id
from learnloop.models.lesson import Evidence, Lesson, Scope, Triggers

MOST_EVIDENCE = 20
_QUOTE = 600
_BRIEF = 200
"""A remark of so many characters is about one thing."""
_EVERYWHERE = re.compile(
    r"\b(?:in (?:all|any|every|other) (?:of )?(?:my |our |your )?(?:projects?|repos?(?:itories)?)"
    r"|everywhere|globally|across (?:all )?(?:projects|repos))\b",
    re.I,
)
_NOT_EVERYWHERE = re.compile(r"everywhere in (?:this|the|our)\b", re.I)
_CATEGORIES: tuple[tuple[str, str], ...] = (
    ("testing", r"tests?|pytest|jest|vitest|unittest|mocks?|mocked|fixtures?|coverage|e2e"),
    ("version control", r"git|commits?|committed|committing|branch(?:es)?|rebase[d]?|push(?:e[sd])?"
                        r"|merged?|squash|changelog|pr|prs"),
    ("dependencies", r"dependenc(?:y|ies)|npm|pnpm|yarn|pip|uv|poetry|lockfile|packages?|licen[cs]e"
                     r"|library|libraries"),
    ("security", r"secrets?|tokens?|passwords?|credentials?|env|keys?"),
    ("data", r"database|sql|sqlite|postgres|schema|migrations?|tables?|queries"),
    ("style", r"format(?:ter|ted|ting)?|lint(?:er|ing)?|names?|naming|spaces?|tabs?|indent\w*"
              r"|snake_case|camel\w*|exports?|imports?|comments?|ruff|prettier|eslint|spell(?:ed|ing)"),
    ("documentation", r"docs?|documentation|readme|docstrings?|markdown"),
    ("structure", r"files?|folders?|director(?:y|ies)|modules?|helpers?|classes|utils|components?"),
    ("deployment", r"deploy\w*|staging|production|docker|ci|release[sd]?|cluster|server"),
    ("communication", r"answers?|asks?|asked|tells?|summary|explain\w*|english|permission"),
)  # fmt: skip


def draft_from_verdict(
    verdict: PromptVerdict, *, quote: str, event_id: str, ts: str, session_id: str, project: str,
    before: Mapping[str, Any],
    source: str = "",
) -> Lesson:  # fmt: skip
    """The draft of one verdict.

    `before` is the turn before: `task`, `files`, `commands`, `failures`, `refusal`, `agent` and
    `transcript_path`.
    """
    said = _said(verdict, quote)
    quote = verdict.quote or quote
    scope: Scope = scope_of(quote) if project else "global"
    rule = verdict.rule
    shown = said or verdict.sentence or quote
    weight = _weight(verdict, said)
    shape = _shape(verdict, quote, said)
    lesson = Lesson(
        id=draft_id(event_id, rule),
        kind=shape.kind,
        content=shape.content,
        statement=said or "",
        needs_words=said is None,
        title=_cut(shown.rstrip("."), 100),
        description=_cut(f"From: {verdict.sentence or quote}", 1000),
        priority=weight.priority,
        proposed_priority=weight.proposed,
        category=category_of(said or quote),
        triggers=_triggers(verdict, said, quote, before),
        scope=scope,
        project="" if scope == "global" else project,
        keywords=triggers.content_words(shown),
        confidence=verdict.confidence,
        source=source or rule,
        trust="external" if verdict.external else "user",
        evidence=(build_evidence(quote, event_id=event_id, ts=ts, session_id=session_id, before=before),),
        fingerprint=fingerprint.fingerprint_of(shown, scope, project),
        created=ts,
        updated=ts,
    )
    return scorer.with_score(lesson)


def draft_from_recurring(
    messages: Sequence[str], *, evidence: Sequence[Mapping[str, Any]], project: str, confidence: float,
    external: bool = False,
) -> Lesson:  # fmt: skip
    """The draft of a correction that came again and again, in the words of the message that says it best.

    `messages` in the order in which they are asked for a statement, `evidence` oldest first; without a
    project it holds everywhere.
    """
    made = ((message, statement.make(message, orders_too=True)) for message in messages)
    message, said = next(((message, said) for message, said in made if said), (messages[0], None))
    scope: Scope = "project" if project else "global"
    shown = said or message
    touched = [{name: item.get(name, ()) for name in ("files", "commands")} for item in evidence]
    before = touched[-1] if touched else {}
    lesson = Lesson(
        id=draft_id(evidence[0]["event_id"], "recurring"),
        statement=said or "",
        needs_words=said is None,
        title=_cut(shown.rstrip("."), 100),
        description=_cut(f"From: {message}", 1000),
        priority="HIGH",
        category=category_of(shown),
        triggers=triggers.derive(
            said or "", message, files=before.get("files", ()), commands=before.get("commands", ())
        ),
        scope=scope,
        project=project,
        keywords=triggers.content_words(shown),
        confidence=confidence,
        source="recurring",
        trust="external" if external else "user",
        evidence=tuple(
            Evidence.model_validate(item) for item in (*evidence[:1], *evidence[1:][1 - MOST_EVIDENCE :])
        ),
        fingerprint=fingerprint.fingerprint_of(shown, scope, project),
        seen_count=len(evidence),
        created=evidence[0]["ts"],
        updated=evidence[-1]["ts"],
    )
    return scorer.with_score(lesson)


def _said(verdict: PromptVerdict, quote: str) -> str | None:
    """The statement of the sentence that decided; of all that a brief remark says where it makes none."""
    said = statement.make(verdict.sentence, orders_too=not verdict.standing)
    is_brief = len(quote) <= _BRIEF and not verdict.standing
    return said or (statement.make(quote) if is_brief else None)


def build_evidence(
    quote: str, *, event_id: str, ts: str, session_id: str, before: Mapping[str, Any]
) -> Evidence:
    """The words and the turn before them, each part bounded."""
    return Evidence(
        quote=_cut(quote, _QUOTE),
        session_id=session_id,
        event_id=event_id,
        ts=ts,
        agent=before.get("agent") or "main",
        task=_cut(before.get("task", ""), 300),
        files=tuple(before.get("files", ())[:10]),
        commands=tuple(_cut(command, 200) for command in before.get("commands", ())[-5:]),
        failures=tuple(_cut(failure, 200) for failure in before.get("failures", ())[-3:]),
        refusal=_cut(before.get("refusal", ""), 300),
        transcript_path=before.get("transcript_path", ""),
    )


def scope_of(quote: str) -> Scope:
    """Global only where the words say so."""
    return "global" if _EVERYWHERE.search(quote) and not _NOT_EVERYWHERE.search(quote) else "project"


def category_of(text: str) -> str:
    """The subject of a lesson, by its words."""
    low = text.lower()
    return next((name for name, pattern in _CATEGORIES if re.search(rf"\b(?:{pattern})\b", low)), "general")


def _weight(verdict: PromptVerdict, said: str | None) -> impact.Weight:
    """How much it matters: a correction by what it puts at risk, a standing order also by how firm it is."""
    weight = impact.weight(
        "explicit" if verdict.standing else "correction", f"{verdict.sentence} {said or ''}"
    )
    return weight._replace(priority="HIGH") if _is_firm(verdict, said) else weight


def _triggers(verdict: PromptVerdict, said: str | None, quote: str, before: Mapping[str, Any]) -> Triggers:
    """When it matters: by its words and what the turn did; what was left out belongs to what was written."""
    words, files = verdict.sentence or quote, before.get("files", ())
    found = triggers.derive(said or "", words, files=files, commands=before.get("commands", ()))
    return triggers.add_written_files(found, files) if omissions.omitted_order(words) else found


def _shape(verdict: PromptVerdict, quote: str, said: str | None) -> impact.Classification:
    """The kind: what stands for later work is a preference, a correction what its words make of it."""
    if verdict.standing:
        return impact.Classification("preference")
    whole = impact.classify(quote, said or "") if len(quote) <= _QUOTE else None
    if whole and (whole.kind == "checklist" or len(quote) <= _BRIEF):
        return whole
    return impact.classify(verdict.sentence or quote, said or "")


def _is_firm(verdict: PromptVerdict, said: str | None) -> bool:
    return verdict.standing and bool(
        re.search(r"\b(?:always|never|(?:don't|do not) ever)\b", f"{verdict.sentence} {said or ''}", re.I)
    )


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
