"""Preferences: what is believed of a person's ways, as pane and command line show it."""

from learnloop.learn.lessons import contradictions
from learnloop.learn.profile import beliefs, traits
from learnloop.models import Lesson
from learnloop.models.preferences import Contradiction, Preferences, Trait
from learnloop.service.lessons import documents, rows
from learnloop.service.lessons.documents import as_lesson
from learnloop.service.profile.project_findings import recurring
from learnloop.service.workspace import Workspace
from learnloop.store.store import Store
from learnloop.wire import clock

TABLE = "preferences"
_MOST_COMPARED = 1_000
"""Lessons that are searched for contradictions: the active ones, then the newest drafts."""
IMPORTED = "imported_preferences"
"""The table of imported remarks, which no event contains."""


def preferences(ws: Workspace, now_ms: int | None = None) -> Preferences:
    """All preferences as of now, decisions before ingest included."""
    rules = _rules(ws)
    trait_by_name = {trait.name: trait for trait in all_traits(ws, now_ms)}
    groups = tuple(recurring(ws))
    times = [group.last_seen for group in groups] + [rule.updated for rule in rules]
    for trait in trait_by_name.values():
        times += [signals[0].ts for signals in trait.evidence.values() if signals]
    return Preferences(
        verbosity=trait_by_name["verbosity"], autonomy=trait_by_name["autonomy"],
        explanation_depth=trait_by_name["explanation_depth"], recurring_corrections=groups, rules=rules,
        contradictions=tuple(open_contradictions(ws)), last_updated=max(times, default=""),
    )  # fmt: skip


def all_traits(ws: Workspace, now_ms: int | None = None) -> tuple[Trait, ...]:
    """The three traits."""
    tables = [Store(ws.root).documents(name) for name in (TABLE, IMPORTED)]
    decisions = documents.decisions(ws.root)
    confirmed, dismissed = beliefs.confirmed(decisions), beliefs.dismissed(decisions)
    settled = beliefs.settled(decisions)
    at = clock.now_ms() if now_ms is None else now_ms
    today = (
        traits.trait(
            name,
            [signal for table in tables for signal in table.get(f"trait:{name}", {}).get("signals", ())],
            now_ms=at,
            half_life_days=ws.settings.preference_decay_days,
            confirmed=confirmed.get(traits.trait_id(name)),
            dismissed=dismissed.get(traits.trait_id(name)),
        )
        for name in traits.TRAITS
    )
    return tuple(
        trait.with_(confirmed=True, confirmed_value=trait.value, confirmed_statement=trait.statement)
        if settled.get(trait.id, ("",))[0] == beliefs.mark(trait.statement)
        else trait
        for trait in today
    )


def open_contradictions(ws: Workspace) -> list[Contradiction]:
    """The pairs of lessons that contradict each other: of two rules, or of an active lesson and any other."""
    docs = rows.documents_of(ws, lambda row: row.status in ("draft", "active") and bool(row.statement))
    newest = sorted(docs, key=lambda doc: (doc["status"] == "active", doc.get("updated", "")))
    lessons = [as_lesson(doc) for doc in newest[-_MOST_COMPARED:]]
    rules = {lesson.id for lesson in lessons if lesson.kind == "preference"}
    return [
        pair
        for pair in contradictions.find_contradictions(lessons)
        if "active" in (pair.one.status, pair.other.status)
        or rules >= {pair.one.lesson_id, pair.other.lesson_id}
    ]


def _rules(ws: Workspace) -> tuple[Lesson, ...]:
    """Drafts and active lessons of the kind preference, active ones first."""
    docs = rows.documents_of(ws, lambda row: row.kind == "preference" and row.status in ("draft", "active"))
    rules = map(as_lesson, docs)
    return tuple(sorted(rules, key=lambda rule: (rule.status != "active", rule.statement.lower(), rule.id)))
