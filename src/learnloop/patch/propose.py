"""Proposals from evidence: what may be worth a block in which prompt files. Pure.

Confidence: a theme or correction seen n times min(0.5 + 0.1·n, 0.95), a confirmed trait 0.85, an approved rule
0.95 (the specification's formulas); a promoted lesson counts as often as it was seen.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from learnloop.models import ids
from learnloop.models.patch import Audience, Patch, PatchSource

THEME_FROM = 3
"""How often an agent's failure theme is seen before it is worth a patch."""
TRAIT_CONFIDENCE = 0.85
RULE_CONFIDENCE = 0.95
MAIN = "main"
_MOST_QUOTES = 5

TRAITS: Mapping[tuple[str, str], str] = {
    ("verbosity", "concise"): "Answers are concise: what matters first, nothing said twice.",
    ("verbosity", "detailed"): "Answers are detailed: they name the alternatives and what speaks for each.",
    (
        "autonomy",
        "ask_first",
    ): "Ask before changes that reach further than the task, then wait for the answer.",
    (
        "autonomy",
        "just_do_it",
    ): "Go on without asking where the task is clear; say afterwards what was decided.",
    (
        "autonomy",
        "balanced",
    ): "Go on without asking in small matters; ask where a decision is hard to take back.",
    ("explanation_depth", "minimal"): "Explain only what is not obvious from the change itself.",
    ("explanation_depth", "moderate"): "Explain the reasons of a change in a few sentences.",
    ("explanation_depth", "thorough"): "Explain how a change works, why it is made so, and what it affects.",
}
"""What an agent is told of a confirmed trait, by trait and value."""


@dataclass(frozen=True)
class Finding:
    """One thing that the evidence says, and for whom."""

    source: PatchSource
    source_id: str
    audience: Audience
    words: str
    reason: str
    confidence: float
    at: str
    agent: str = ""
    project: str = ""
    evidence: tuple[str, ...] = ()
    count: int = 1
    quotes: tuple[str, ...] = ()

    def as_patch(self) -> Patch:
        """The patch that it makes: the same finding always makes the same one."""
        name = "\0".join((self.source, self.source_id, self.audience, self.agent, self.project))
        return Patch(
            id=ids.draft_id(name, "patch"), source=self.source, source_id=self.source_id,
            audience=self.audience, agent=self.agent, project=self.project, block=self.words,
            reason=self.reason, confidence=round(self.confidence, 4), evidence=self.evidence,
            evidence_count=self.count, quotes=self.quotes[:_MOST_QUOTES], created=self.at, updated=self.at,
        )  # fmt: skip


def by_count(count: int) -> float:
    """The confidence that so many sightings give."""
    return min(0.5 + count * 0.1, 0.95)


def as_block(words: str) -> str:
    """Words as a block holds them: one sentence is a list item, more than a line stays as it is."""
    words = words.strip()
    if "\n" in words or words.startswith(("- ", "* ", "#", "> ", "```")):
        return words
    return f"- {words}" if words.endswith((".", "!", "?", ":", "`", ")")) else f"- {words}."


def from_lessons(docs: Iterable[Mapping[str, Any]]) -> Iterator[Finding]:
    """Findings of active lessons: rules and what is scoped to an agent or to all, and what came back."""
    for doc in docs:
        if doc.get("status") == "active" and not doc.get("paused") and doc.get("statement"):
            yield from _of_lesson(doc)


def _of_lesson(doc: Mapping[str, Any]) -> Iterator[Finding]:
    usage = doc.get("usage") or {}
    came_back = int(usage.get("recurred") or 0) if usage.get("recalled") else 0
    named = tuple((doc.get("triggers") or {}).get("agent_names") or ())
    is_global, is_rule = doc.get("scope") == "global", doc.get("kind") == "preference"
    if not (came_back or named or is_global or is_rule):
        return
    project = "" if is_global else str(doc.get("project", ""))
    for agent in named or ("",):
        audience: Audience = (
            "agent" if agent and agent != MAIN else "agents" if is_global and not agent else MAIN
        )
        source, reason, confidence, count = _why(doc, is_rule, came_back)
        yield Finding(
            source, str(doc["id"]), audience, as_block(str(doc["statement"])), reason, confidence,
            str(doc.get("reviewed_at") or doc.get("updated") or doc.get("created") or ""),
            agent if audience == "agent" else "", project, (str(doc["id"]),), count, _quotes(doc),
        )  # fmt: skip


def _why(doc: Mapping[str, Any], is_rule: bool, came_back: int) -> tuple[PatchSource, str, float, int]:
    seen = int(doc.get("seen_count") or 1)
    if came_back:
        times = "once" if came_back == 1 else f"{came_back} times"
        told = "You had to say it again " + times + " although it was recalled"
        return "correction", told, max(by_count(came_back), RULE_CONFIDENCE if is_rule else 0), came_back
    if is_rule:
        return "rule", "A rule that you approved", RULE_CONFIDENCE, seen
    return "lesson", "A lesson that you promoted", by_count(seen), seen


def _quotes(doc: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(str(seen.get("quote", "")) for seen in doc.get("evidence") or () if seen.get("quote"))


def from_themes(agents: Iterable[Mapping[str, Any]]) -> Iterator[Finding]:
    """Findings of agents' failure themes, from `THEME_FROM` sightings on."""
    for agent in agents:
        name = str(agent.get("agent_name", ""))
        for theme in agent.get("failure_patterns") or ():
            count = int(theme.get("count") or 0)
            if not name or count < THEME_FROM or not theme.get("pattern"):
                continue
            pattern = str(theme["pattern"])
            yield Finding(
                "failure", pattern, MAIN if name == MAIN else "agent", as_block(_guidance(theme)),
                f"{'The main agent' if name == MAIN else name} was corrected on “{pattern}” {count} times",
                by_count(count), str(theme.get("last_seen") or agent.get("last_updated") or ""),
                "" if name == MAIN else name, "", tuple(map(str, theme.get("evidence") or ())), count,
                tuple(map(_example, theme.get("examples") or ())),
            )  # fmt: skip


def _guidance(theme: Mapping[str, Any]) -> str:
    """What to do, in words a model can follow: the theme's own statement where it has one."""
    said = str(theme.get("statement") or "").strip()
    if said:
        return said
    subject = str(theme["pattern"]).strip().rstrip(".")
    return f"Before a task is called done, check this point by itself: {subject}."


def _example(example: Any) -> str:
    return (
        str(example.get("quote") or example.get("text") or "")
        if isinstance(example, Mapping)
        else str(example)
    )


def from_traits(traits: Iterable[Mapping[str, Any]], at: str = "") -> Iterator[Finding]:
    """Findings of the traits that the person confirmed."""
    for trait in traits:
        key = str(trait.get("name", "")), str(trait.get("value", ""))
        if trait.get("confirmed") and key in TRAITS:
            yield Finding(
                "trait", key[0], "agents", as_block(TRAITS[key]),
                f"You confirmed: {key[0].replace('_', ' ')} {key[1].replace('_', ' ')}", TRAIT_CONFIDENCE,
                str(trait.get("confirmed_at") or at), evidence=tuple(map(str, trait.get("evidence") or ())),
                count=max(1, len(trait.get("evidence") or ())),
            )  # fmt: skip


def strongest(patches: Iterable[Patch]) -> list[Patch]:
    """Each patch once, the most confident first; of two for the same files that say the same, the stronger."""
    from learnloop.learn import near

    kept: list[Patch] = []
    for patch in sorted(patches, key=_order):
        place = patch.audience, patch.agent, patch.project
        if not any(
            place == (one.audience, one.agent, one.project) and near.is_same(_plain(patch), _plain(one))
            for one in kept
        ):
            kept.append(patch)
    return kept


def _order(patch: Patch) -> tuple[float, int, str]:
    return -patch.confidence, -patch.evidence_count, patch.id


def _plain(patch: Patch) -> str:
    return patch.block.removeprefix("- ")


def said_already(patch: Patch, text: str) -> str | None:
    """The line of a file that says already what a patch would add, its own block left out of account."""
    from learnloop.learn import near
    from learnloop.patch import blocks

    if patch.id in text:
        text = blocks.remove(text, patch.id)
    items = [line.strip().removeprefix("- ") for line in patch.block.split("\n") if line.strip()]
    found = [near.already_said(item, text) for item in items]
    return found[0] if found and all(found) else None


def rank_of(patches: Sequence[Patch]) -> Mapping[str, tuple[str, str]]:
    """The order of blocks in a region: the oldest finding first."""
    return {patch.id: (patch.created, patch.id) for patch in patches}
