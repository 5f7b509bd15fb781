"""Any number of generated drafts in a store, for lists longer than the demo's."""

from learnloop.demo import stage
from learnloop.learn.lessons import scorer
from learnloop.models import Evidence, Lesson, Triggers
from learnloop.models.ids import draft_id
from learnloop.wire import clock

PROJECTS = ("tidewater", "lanternfish", "saltmarsh", "cartwheel", "quillpen", "homelab")
THINGS = (
    "the query builder", "a named export", "the shared fixture", "tenacity", "polars", "structlog",
    "the icon set", "a moved block", "restic", "the virtual list", "a table-driven test",
    "the error wrapper", "the design token",
)  # fmt: skip


def seed_queue(root: str, drafts: int, *, now_ms: int | None = None) -> None:
    """Write drafts straight into the store."""
    from learnloop.store.store import Store

    now = clock.now_ms() if now_ms is None else now_ms
    with Store(root).transaction() as tx:
        table = tx.table("lessons")
        for number in range(drafts):
            draft = generated(number, now).as_json()
            table.put(draft["id"], draft)


def generated(number: int, now_ms: int) -> Lesson:
    """One of many drafts, different in words, strength, project, trust and age."""
    ms = now_ms - number * 61_000
    event_id = stage.stable_id(ms, "queue", number)
    thing, other = THINGS[number % len(THINGS)], THINGS[(number * 7 + 3) % len(THINGS)]
    statement = f"{thing.capitalize()} number {number} is used instead of {other} {number % 97}."
    ts = clock.iso(ms)
    confidence = 0.5 + (number * 37 % 50) / 100
    project = f"{stage.HOME}/{PROJECTS[number % len(PROJECTS)]}"
    return scorer.with_score(Lesson(
        id=draft_id(event_id, "demo"), statement=statement, title=statement.rstrip("."), project=project,
        confidence=confidence, seen_count=1 + number % 4 // 3, source="demo",
        needs_words=number % 11 == 0, trust="external" if number % 13 == 0 else "user",
        triggers=Triggers(action_keywords=(thing, other)), keywords=(thing, other), created=ts, updated=ts,
        evidence=(Evidence(quote=f"use {thing}, not {other}", session_id="demo", event_id=event_id, ts=ts),),
    ))  # fmt: skip
