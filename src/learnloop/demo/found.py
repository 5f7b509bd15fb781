"""What the demo has from elsewhere: an agent's blocks, discoveries, and what other tools had kept."""

from collections.abc import Iterator
from typing import Any

from learnloop.demo.scenes import HOME
from learnloop.demo.stage import stable_id
from learnloop.wire import clock, event

DAY_MS = 86_400_000
_BLOCK = """[PROCESS_KNOWLEDGE]
type: warning
priority: HIGH
label: Locks held by the night export
warning:
  risk: The export holds the ledger's lock for four minutes from two o'clock on
  severity: high
  detection: writes time out between two and five past two
  mitigation: migrations run after three
triggers:
  file_patterns: ["**/migrations/*.sql"]
[/PROCESS_KNOWLEDGE]"""
_MALFORMED = """[PROCESS_KNOWLEDGE]
type: poem
label: Cargo features
[/PROCESS_KNOWLEDGE]"""


def _said(words: str) -> str:
    return words.replace("\n", "¶")


SCENE = f"""
== tidewater 6 2
> Find out why the nightly migration times out
$ psql -c 'select * from pg_locks'
. The export holds the lock while the migration waits.¶¶{_said(_BLOCK)}
# done
== saltmarsh 4 5
> Tidy up the feature flags of the parser crate
e crates/parser/Cargo.toml
. The flags are sorted and the unused ones are gone.¶¶{_said(_MALFORMED)}
# done
"""

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
"""Project, days before now, agent and fields of each; the same one made again is one verification more."""

APPROVED = ("conftest.py takes it for granted",)
"""What stands in the details of the discoveries that were promoted."""

_BROUGHT: tuple[tuple[str, str, str, str], ...] = (
    ("import:reflect", "tidewater", "no, use ruff format, not black", "learnings-queue.json item 4"),
    ("import:memory", "lanternfish", "Storybook runs on port 6007 here", "memory/ports.md"),
    ("import:bullets", "quillpen", "Chapters are numbered by folder, never in the text", "LEARNED.md:12"),
)
"""Source, project, words and place of what other tools had kept."""
LEFT_OUT = (
    "reflect", "/home/robin/.claude/learnings-queue.json",
    ("/home/robin/.claude/learnings-queue.json item 2: is praise: nothing to tell an agent",
     "/home/robin/.claude/learnings-queue.json item 7: has no message"),
)  # fmt: skip
"""Origin, path and reasons of what was refused."""


def discoveries(now_ms: int) -> Iterator[dict[str, Any]]:
    """The events of `learn discover`, each of a session of its own."""
    for number, (project, days, agent, fields) in enumerate(_DISCOVERIES):
        ms = now_ms - days * DAY_MS - 3_600_000
        folder = f"{HOME}/{project}"
        yield event.record(
            "discovery", host="claude", session_id=f"found-{number}", cwd=folder, project=folder,
            payload={**fields, "agent": agent}, ts_ms=ms, event_id=stable_id(ms, "discovery", number),
        )  # fmt: skip


def brought(ms: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The verdicts that added what other tools had kept: action, lesson and what the action needs."""
    from learnloop.learn.language import statement
    from learnloop.learn.lessons import scorer
    from learnloop.learn.offers import knowledge
    from learnloop.learn.offers.plain_yaml import YamlMapping

    for source, project, words, place in _BROUGHT:
        origin = knowledge.Origin(
            event_id=stable_id(ms, source), ts=clock.iso(ms), rule=source, project=f"{HOME}/{project}",
            quote=words, trust="external",
        )  # fmt: skip
        said = statement.make(words, orders_too=True) or words
        made = knowledge.lesson_from_block(YamlMapping({"statement": said, "confidence": "0.7"}), origin)
        lesson = scorer.with_score(made.with_(kind="preference", context=f"From /home/robin/{place}."))
        yield "add", lesson.id, {"lesson": lesson.as_json()}
