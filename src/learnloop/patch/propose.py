"""Proposals from evidence: what may be worth a block in which prompt files. Pure.

Confidence: a theme or correction seen n times min(0.5 + 0.1·n, 0.95), a confirmed trait 0.85, an approved
rule 0.95 (the specification's formulas); a promoted lesson counts as often as it was seen.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from learnloop.errors import Refused
from learnloop.learn.lessons import origins
from learnloop.models import ids
from learnloop.models.lesson import Trust
from learnloop.models.patch import Audience, Patch, PatchSource, PatchTarget
from learnloop.models.preferences import RecurringCorrection, Trait
from learnloop.patch import plain_bullets

if TYPE_CHECKING:
    from learnloop.models.agent import AgentPerformance

THEME_FROM = 3
"""How often an agent's failure theme is seen before it is worth a patch."""
TRAIT_CONFIDENCE = 0.85
RULE_CONFIDENCE = 0.95
MAIN: Literal["main"] = "main"
_MOST_QUOTES = 5
_FACT = "What you said of your project; agents read it in a file of the project"
_SHARED = "You said so in two projects; agents read it everywhere in a file of yours"
_IMPORT = "Agents read that file only where one that they read names it"


def proposed(
    source: PatchSource, source_id: str, audience: Audience, words: str, reason: str, confidence: float,
    at: str, agent: str = "", project: str = "", evidence: tuple[str, ...] = (), count: int = 1,
    quotes: tuple[str, ...] = (), trust: Trust = "user",
) -> Patch:  # fmt: skip
    """The patch of one thing that the evidence says, and for whom; the same thing makes the same patch."""
    name = "\0".join((source, source_id, audience, agent, project))
    return Patch(
        id=ids.draft_id(name, "patch"), source=source, source_id=source_id, audience=audience, agent=agent,
        project=project, block=_as_block(words), reason=reason, confidence=round(confidence, 4),
        evidence=evidence, evidence_count=count, quotes=quotes[:_MOST_QUOTES], created=at, updated=at,
        trust=trust,
    )  # fmt: skip


def by_count(count: int) -> float:
    """The confidence that so many sightings give."""
    return min(0.5 + count * 0.1, 0.95)


def _as_block(words: str) -> str:
    """Words as a block holds them: one sentence is a list item, more than a line stays as it is."""
    words = words.strip()
    if "\n" in words or words.startswith(("- ", "* ", "#", "> ", "```")):
        return words
    return f"- {words}" if words.endswith((".", "!", "?", ":", "`", ")")) else f"- {words}."


def from_lessons(docs: Iterable[Mapping[str, Any]]) -> Iterator[Patch]:
    """Patches of active lessons: rules and what is scoped to an agent or to all, and what came back."""
    for doc in docs:
        is_active = doc.get("status") == "active" and not doc.get("paused") and doc.get("statement")
        if is_active and not is_fact(doc):
            yield from _of_lesson(doc)


def from_facts(
    docs: Iterable[Mapping[str, Any]], file_of: Callable[[Mapping[str, Any]], str]
) -> Iterator[Patch]:
    """Patches of active lessons that a model read: a plain list item in the file that `file_of` gives."""
    for doc in docs:
        if doc.get("status") == "active" and not doc.get("paused") and doc.get("statement") and is_fact(doc):
            count = int(doc.get("seen_count") or 1)
            yield from _of_fact(doc, _FACT, str(doc["project"]), file_of(doc), count)


def _of_fact(doc: Mapping[str, Any], reason: str, project: str, path: str, count: int) -> Iterator[Patch]:
    quotes = tuple(str(seen["quote"]) for seen in doc.get("evidence") or () if seen.get("quote"))
    at = str(doc.get("reviewed_at") or doc.get("updated") or doc.get("created") or "")
    with contextlib.suppress(Refused):
        patch = proposed(
            "facts", str(doc["id"]), MAIN, plain_bullets.item_of(str(doc["statement"])), reason,
            by_count(count), at, "", project, (str(doc["id"]),), count, quotes, doc.get("trust", "user"),
        )  # fmt: skip
        yield patch.with_(targets=(PatchTarget(path=path),))


def from_shared_facts(docs: Iterable[Mapping[str, Any]], path: str) -> Iterator[Patch]:
    """Patches of facts that were taught in two projects: a plain list item in the person's own file.

    A fact counts where it is approved or waits; what is proposed is approved in one of them at least.
    """
    from learnloop.learn.lessons import meaning, similarity

    facts = [
        doc
        for doc in docs
        if is_fact(doc)
        and doc.get("statement")
        and doc.get("trust", "user") == "user"
        and not doc.get("paused")
    ]
    index, by_id = similarity.MeaningIndex(), {str(doc["id"]): doc for doc in facts}
    for lesson_id, doc in by_id.items():
        index.add(lesson_id, meaning.read(str(doc["statement"])))
    for lesson_id, doc in sorted(by_id.items()):
        same = [by_id[name] for _, name in index.nearest(meaning.read(str(doc["statement"])))]
        approved = [other for other in same if other.get("status") == "active"]
        is_first = approved and lesson_id == min(str(other["id"]) for other in approved)
        if is_first and len({other["project"] for other in same}) > 1:
            count = sum(int(other.get("seen_count") or 1) for other in same)
            yield from _of_fact(doc, _SHARED, "", path, count)


def is_fact(doc: Mapping[str, Any]) -> bool:
    """Whether a lesson is a fact of a project, which belongs into the project's own memory."""
    return (
        doc.get("source") == origins.SYNTHESIS and doc.get("scope") != "global" and bool(doc.get("project"))
    )


def import_lines(project: str, path: str, names: str, at: str) -> Patch:
    """The lines in a file that agents read which make them read another one."""
    patch = proposed("facts", f"{path}\0{names}", MAIN, names, _IMPORT, 1.0, at, "", project)
    return patch.with_(block=names, targets=(PatchTarget(path=path),))


def _of_lesson(doc: Mapping[str, Any]) -> Iterator[Patch]:
    usage = doc.get("usage") or {}
    came_back = int(usage.get("recurred") or 0) if usage.get("recalled") else 0
    named = tuple((doc.get("triggers") or {}).get("agent_names") or ())
    is_global, is_rule = doc.get("scope") == "global", doc.get("kind") == "preference"
    if not (came_back or named or is_global or is_rule):
        return
    project = "" if is_global else str(doc.get("project", ""))
    quotes = tuple(str(seen["quote"]) for seen in doc.get("evidence") or () if seen.get("quote"))
    for agent in named or ("",):
        audience: Audience = (
            "agent" if agent and agent != MAIN else "agents" if is_global and not agent else MAIN
        )
        source, reason, confidence, count = _why(doc, is_rule, came_back)
        yield proposed(
            source, str(doc["id"]), audience, str(doc["statement"]), reason, confidence,
            str(doc.get("reviewed_at") or doc.get("updated") or doc.get("created") or ""),
            agent if audience == "agent" else "", project, (str(doc["id"]),), count, quotes,
            doc.get("trust", "user"),
        )  # fmt: skip


def _why(doc: Mapping[str, Any], is_rule: bool, came_back: int) -> tuple[PatchSource, str, float, int]:
    seen = int(doc.get("seen_count") or 1)
    if came_back:
        times = "once" if came_back == 1 else f"{came_back} times"
        reason = "You had to say it again " + times + " although it was recalled"
        return "correction", reason, max(by_count(came_back), RULE_CONFIDENCE if is_rule else 0), came_back
    if is_rule:
        return "rule", "A rule that you approved", RULE_CONFIDENCE, seen
    return "lesson", "A lesson that you promoted", by_count(seen), seen


def from_themes(agents: Iterable["AgentPerformance"]) -> Iterator[Patch]:
    """Patches of agents' failure themes, from `THEME_FROM` sightings on: what to do, never a complaint."""
    for agent in agents:
        is_main = agent.agent_name == MAIN
        who = "The main agent" if is_main else agent.agent_name
        for theme in agent.failure_patterns:
            if theme.count >= THEME_FROM and agent.agent_name and theme.instruction:
                yield proposed(
                    "failure", theme.instruction, MAIN if is_main else "agent", theme.instruction,
                    f"{who} was corrected on this {theme.count} times", by_count(theme.count),
                    agent.last_updated, "" if is_main else agent.agent_name, agent.project, theme.turn_ids,
                    theme.count, theme.examples,
                )  # fmt: skip


def from_traits(traits: Iterable[Trait]) -> Iterator[Patch]:
    """Patches of the traits that the person confirmed."""
    for trait in traits:
        if trait.confirmed and trait.confirmed_statement:
            signals = trait.evidence.get(str(trait.confirmed_value), ())
            what = f"{trait.name.replace('_', ' ')} {str(trait.confirmed_value).replace('_', ' ')}"
            yield proposed(
                "trait", trait.name, "agents", trait.confirmed_statement, f"You confirmed: {what}",
                TRAIT_CONFIDENCE, max((signal.ts for signal in signals), default=""),
                evidence=tuple(signal.event_id for signal in signals), count=max(1, len(signals)),
                quotes=tuple(signal.quote for signal in signals),
            )  # fmt: skip


def from_corrections(
    corrections: Iterable[RecurringCorrection], lessons: Mapping[str, Any]
) -> Iterator[Patch]:
    """Patches of recurring corrections whose lesson was recalled, and that came back all the same.

    Lessons that count their recurrences themselves have a patch already.
    """
    for correction in corrections:
        doc = lessons.get(correction.lesson_id or "")
        if doc is None or doc.get("status") != "active" or doc.get("paused"):
            continue
        usage = doc.get("usage") or {}
        if usage.get("recurred") or correction.last_seen <= str(usage.get("last_recalled") or "~"):
            continue
        project = "" if doc.get("scope") == "global" else str(doc.get("project", ""))
        yield proposed(
            "correction", str(doc["id"]), MAIN if project else "agents",
            str(doc.get("statement", "")),
            f"You said it {correction.count} times, the last time after it was recalled",
            by_count(correction.count), correction.last_seen, "", project, (str(doc["id"]),),
            correction.count, correction.examples, doc.get("trust", "user"),
        )  # fmt: skip


def strongest(patches: Iterable[Patch]) -> list[Patch]:
    """The most confident first; of two for the same files that say the same, only the stronger."""
    from learnloop.learn.lessons import similarity

    chosen: list[Patch] = []
    for patch in sorted(patches, key=lambda patch: (-patch.confidence, -patch.evidence_count, patch.id)):
        place = patch.audience, patch.agent, patch.project
        if not any(
            place == (other.audience, other.agent, other.project)
            and similarity.says_the_same(patch.block.removeprefix("- "), other.block.removeprefix("- "))
            for other in chosen
        ):
            chosen.append(patch)
    return chosen


def said_already(patch: Patch, text: str) -> str | None:
    """The line of a file that says already what a patch would add, its own block left out of account."""
    from learnloop.learn.lessons import similarity
    from learnloop.patch import blocks

    if patch.id in text:
        text = blocks.remove(text, patch.id)
    items = [line.strip().removeprefix("- ") for line in patch.block.split("\n") if line.strip()]
    sentences = [similarity.find_restatement(item, text) for item in items]
    return sentences[0] if sentences and all(sentences) else None


def rank_of(patches: Sequence[Patch]) -> Mapping[str, tuple[str, str]]:
    """The order of blocks in a region: the oldest finding first."""
    return {patch.id: (patch.created, patch.id) for patch in patches}


SNIPPET = """\
### Hand over what you find out

What will matter again in a later session is recorded once, when it is found out; a person decides whether
it is kept, so nothing has to be asked and no verdict is given by you.

A gotcha, a workaround, a dependency, a technical insight: from the shell, in one line.

```sh
learn discover --category gotcha --summary "One sentence of 10 to 100 characters" \\
  --details "What there is to know, in 20 characters or more" --files src/example.py --confidence 0.8
```

Categories: technical_insight, workaround, pattern, gotcha, performance, dependency, configuration. A secret
has no place in it. `--scope global` is for what holds in every project, `--expires` for what will pass.

A way of working that the person taught you (steps that belong together, something that must hold): as a
block at the end of your last message, outside of any code fence.

```text
[PROCESS_KNOWLEDGE]
type: checklist
label: One sentence that says what is done
priority: MEDIUM
checklist:
  items:
    - The first step
    - The second step
trigger_conditions:
  tool_names: [Edit, Write]
  file_patterns: ["**/example.json"]
[/PROCESS_KNOWLEDGE]
```

The type is checklist, pattern (situation, action), warning (risk, mitigation) or requirement (constraint)."""
"""What stands in the block; the fields are those that `learnloop.learn.offers.knowledge` reads."""


def snippet(agent: str, at: str) -> Patch:
    """The snippet for an agent's own file, or with no name for the person's instruction files."""
    return proposed(
        "teach", agent or MAIN, "agent" if agent else MAIN, SNIPPET,
        "You asked for it with learn patches --teach", 1.0, at, agent,
    )  # fmt: skip
