"""Explains a moment: every part of every lesson's score, and which lessons are shown. Pure."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from learnloop.learn.language.rarity import NO_SHARES, Shares
from learnloop.models.base import Document
from learnloop.recall.compile import records
from learnloop.wire import check_rules, relevance, render

Held = Literal["", "top", "budget"]


class Explained(Document):
    """One lesson at one moment. Parts of the score are hundredths."""

    id: str
    short: str
    statement: str
    says: str
    """What the agent reads, without the short id."""
    priority: str
    tool: int
    target: int
    action: int
    context: int
    base: int
    multiplier: int
    final: int
    threshold: int
    fires: bool
    """Whether the score reaches the threshold."""
    why: str
    """Why it fires, or why it does not."""
    told: bool = False
    """Whether it is shown: among the best, and within the budget."""
    stops: bool = False
    """The call breaks it, so the call is stopped once per session."""
    held_back: Held = ""
    """It fires, but better ones come first (`top`) or it does not fit the budget (`budget`)."""


def explain(
    lessons: Iterable[Mapping[str, Any]], moment: Mapping[str, Any], budgets: Mapping[str, int],
    now: str = "", shares: Shares = NO_SHARES, *, vital_only: bool = False,
) -> list[Explained]:  # fmt: skip
    """Each recallable lesson at a moment, best first, in a session that was shown nothing yet.

    `shares` are those of words in the person's prompts that the index was published with. With `vital_only`
    nothing counts but stops and CRITICAL lessons, as in a project that brings a switch along.
    """
    ready = relevance.Moment(dict(moment))
    threshold = budgets.get("threshold", relevance.THRESHOLD)
    lesson_records = records(lessons, now, render.most_characters(budgets["call_tokens"]), shares)
    scored = [
        (record, relevance.score(record, ready, threshold))
        for record in lesson_records
        if not vital_only or is_vital(record)
    ]
    scored.sort(key=lambda pair: (not pair[1]["fires"], -pair[1]["final"], pair[0]["id"]))
    best = [record for record, score in scored if score["fires"]][: budgets["per_call"]]
    shown = {record["id"]: record for record in render.fit_budget(best, budgets["call_tokens"])}
    chosen = {record["id"] for record in best}
    call = check_rules.Call(
        ready, {"tool_input": {"command": ready.command, "file_path": moment.get("file")}}
    )
    explained = []
    for record, score in scored:
        is_shown, is_best = record["id"] in shown, record["id"] in chosen
        held_back: Held = "" if is_shown or not score["fires"] else "budget" if is_best else "top"
        explained.append(
            Explained(
                id=record["id"],
                short=record["short"],
                statement=record["text"],
                says=render.words(shown.get(record["id"], record)),
                priority=record["priority"],
                told=is_shown,
                stops="stop" in record
                and not relevance.elsewhere(record, ready)
                and bool(check_rules.breaks(record["checks"], call.acts)),
                held_back=held_back,
                **score,
            )
        )
    return explained


def is_vital(record: Mapping[str, Any]) -> bool:
    """Whether an index record is told even where a project's own switch silences recall."""
    return record["priority"] == "CRITICAL" or "stop" in record
