"""What the demo has from other sources: discoveries, a colleague's export, other tools' files."""

from collections.abc import Iterator
from typing import Any

from learnloop.demo.stage import DAY_MS, HOME, stable_id
from learnloop.wire import clock, event

_DISCOVERIES: tuple[tuple[str, int, str, dict[str, Any]], ...] = (
    ("tidewater", 34, "explore", {
        "category": "gotcha", "summary": "The ledger's tests need a migrated store",
        "details": "conftest.py takes it for granted that make migrate ran; without it every test "
                   "of the ledger fails with relation entries does not exist.",
        "files": ["tests/conftest.py"], "confidence": "0.9",
    }),
    ("tidewater", 11, "general-purpose", {
        "category": "gotcha", "summary": "The ledger's tests need a migrated store",
        "details": "Run make migrate before pytest tests/ledger.", "confidence": "0.8",
    }),
    ("tidewater", 3, "explore", {
        "category": "gotcha", "summary": "The Ledger's tests need a migrated store",
        "details": "Seen again after a fresh clone: make migrate first.", "confidence": "0.85",
    }),
    ("lanternfish", 5, "explore", {
        "category": "configuration", "summary": "The preview server reads .env.local, not .env",
        "details": "Vite's mode is set to local in package.json, so what stands in .env is not "
                   "there in previews.",
        "files": ["package.json"], "confidence": "0.75",
    }),
    ("quillpen", 2, "refactorer", {
        "category": "performance", "summary": "Indexing is slow because of the spell checker",
        "details": "Nine tenths of the time go into loading the dictionary once for each page.",
        "confidence": "0.6",
    }),
)  # fmt: skip
"""Project, days before now, agent and fields; a repeated discovery is a verification."""

_FROM_TOOLS: tuple[tuple[str, str, str, str], ...] = (
    ("import:reflect", "tidewater", "no, use ruff format, not black", "learnings-queue.json item 4"),
    ("import:memory", "lanternfish", "Storybook runs on port 6007 here", "memory/ports.md"),
    ("import:bullets", "quillpen", "Number chapters by folder, never in the text", "LEARNED.md:12"),
)
"""Source, project, words and place of other tools' items."""
_FROM_EXPORT = (
    (
        "tidewater",
        "Read feature flags once per request.",
        "From the platform team's notes: read feature flags once per request and pass them down.",
    ),
    (
        "lanternfish",
        "Give every form field a visible label.",
        "Accessibility review: give every form field a visible label, placeholders do not count.",
    ),
    (
        "homelab",
        "Pin containers by digest.",
        "Wiki export: always pin containers by digest and run them without privileges.",
    ),
)
"""Project, statement and quote of the lessons of a colleague's export."""
LEFT_OUT = (
    "reflect", "/home/robin/.claude/learnings-queue.json",
    ("/home/robin/.claude/learnings-queue.json item 2: is praise: nothing for an agent to learn",
     "/home/robin/.claude/learnings-queue.json item 7: has no message"),
)  # fmt: skip
"""Origin, path and reasons of the items that were left out."""


def discoveries(now_ms: int) -> Iterator[dict[str, Any]]:
    """The events of `learn discover`, each of a session of its own."""
    for number, (project, days, agent, fields) in enumerate(_DISCOVERIES):
        ms = now_ms - days * DAY_MS - 3_600_000
        folder = f"{HOME}/{project}"
        yield event.record(
            "discovery", host="claude", session_id=f"found-{number}", cwd=folder, project=folder,
            payload={**fields, "agent": agent}, ts_ms=ms, event_id=stable_id(ms, "discovery", number),
        )  # fmt: skip


def from_export(ms: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The `add` verdicts of a colleague's export: action, lesson id and arguments."""
    from learnloop.models.ids import draft_id

    ts = clock.iso(ms)
    for project, statement, quote in _FROM_EXPORT:
        lesson_id = draft_id(stable_id(ms, statement), "import")
        yield "add", lesson_id, {"lesson": {
            "id": lesson_id, "kind": "preference", "statement": statement, "title": statement.rstrip("."),
            "project": f"{HOME}/{project}", "confidence": 0.8, "source": "import", "trust": "external",
            "evidence": [{"quote": quote, "session_id": "import", "event_id": "", "ts": ts}],
            "fingerprint": lesson_id, "created": ts, "updated": ts,
        }}  # fmt: skip


def from_tools(ms: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The `add` verdicts of other tools' items."""
    from learnloop.learn.language import wording
    from learnloop.learn.lessons import scorer
    from learnloop.learn.offers import knowledge
    from learnloop.learn.offers.plain_yaml import YamlMapping

    for source, project, words, place in _FROM_TOOLS:
        origin = knowledge.Origin(
            event_id=stable_id(ms, source), ts=clock.iso(ms), rule=source, project=f"{HOME}/{project}",
            quote=words, trust="external",
        )  # fmt: skip
        fields = {"statement": wording.make(words) or words, "confidence": "0.7"}
        lesson = knowledge.lesson_from_block(YamlMapping(fields), origin)
        lesson = scorer.with_score(lesson.with_(kind="preference", context=f"From /home/robin/{place}."))
        yield "add", lesson.id, {"lesson": lesson.as_json()}
