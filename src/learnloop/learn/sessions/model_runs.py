"""What a run of a model that read along came to, in one line. Pure; does not load pydantic."""

from collections.abc import Mapping
from typing import Any

_VERBS = {"extract": "read", "merge": "merged", "summary": "summed up", "reword": "reworded",
          "ask": "judged"}  # fmt: skip
_THINGS = {"extract": "prompt", "summary": "file", "reword": "draft", "ask": "turn"}


def in_words(run: Mapping[str, Any], known: int = 0) -> str:
    """A run in a line: `read 6 prompts · haiku · 0.9 s · $0.0004 · 2 facts, 1 known`."""
    number, cost = run.get("prompts", 0), run.get("cost_usd")
    thing = _THINGS.get(str(run.get("stage")))
    what = _count(number, thing) if thing else "the facts of the session"
    came_to = _count(run.get("facts", 0), "fact") + (f", {known} known" if known else "")
    if run.get("stage") == "ask":
        came_to = ", ".join(f"broke “{each['words']}” in {each['place']}" for each in run.get("broken") or ())
        came_to = came_to or "nothing broken"
    parts = (
        f"{_VERBS.get(str(run.get('stage')), 'asked about')} {what}", str(run.get("model", "")),
        f"{run.get('ms', 0) / 1000:.1f} s", "cost unknown" if cost is None else f"${cost:.4f}",
        came_to if run.get("outcome") == "done" else str(run.get("outcome")), str(run.get("error", "")),
    )  # fmt: skip
    return " · ".join(filter(None, parts))


def of_event(payload: Mapping[str, Any]) -> str:
    """The run of an event of kind `facts` in a line; empty where the payload has none."""
    run, facts = payload.get("run"), payload.get("facts")
    if not isinstance(run, dict):
        return ""
    found = facts if isinstance(facts, list) else []
    known = sum(isinstance(fact, dict) and fact.get("status") == "known" for fact in found)
    try:
        return in_words(run, known)
    except (TypeError, ValueError, KeyError):
        return ""


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
