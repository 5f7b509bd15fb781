"""Themes of an agent's corrections: what they say at least twice, each in the person's words. Pure.

They are counted as everything is that a person says again: by the groups of `recurring.cluster`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from learnloop.learn.profile import recurring
from learnloop.models.agent import FailurePattern
from learnloop.wire.text import cut

Doc = Mapping[str, Any]

MOST = 300
"""Remarks that are compared, the newest."""
_MOST_EXAMPLES, _MOST_TURNS, _LONGEST = 3, 50, 160


def find_themes(
    remarks: Iterable[Doc], text_by_id: Mapping[str, str], least: int = 2
) -> tuple[FailurePattern, ...]:
    """The themes of remarks {id, turn, ts, words, says}, the most frequent first.

    `text_by_id` has what some remarks are compared by; the others are by their own words. The order of the
    remarks makes no difference.
    """
    newest_first = sorted(remarks, key=lambda doc: (doc["ts"], doc["id"]), reverse=True)[:MOST]
    compared = (
        recurring.Remark(doc["id"], text_by_id.get(doc["id"]) or recurring.normal(str(doc["words"])))
        for doc in newest_first
    )
    groups = (group for group in recurring.cluster(compared) if group.count >= least)
    themes = (_theme([doc for doc in newest_first if doc["id"] in group.ids]) for group in groups)
    return tuple(sorted(themes, key=lambda theme: (-theme.count, theme.pattern)))


def _theme(group: list[Doc]) -> FailurePattern:
    """The theme of a group, newest first."""
    said = [" ".join(str(doc["words"]).split()) for doc in group]
    instruction = _instruction(group)
    return FailurePattern(
        pattern=instruction or f"Hears it again: “{cut(said[0], _LONGEST)}”",
        instruction=instruction,
        count=len(group),
        examples=tuple(dict.fromkeys(cut(text, _LONGEST) for text in said))[:_MOST_EXAMPLES],
        turn_ids=tuple(dict.fromkeys(str(doc["turn"]) for doc in group if doc["turn"]))[:_MOST_TURNS],
    )


def _instruction(group: list[Doc]) -> str:
    """The most frequent order of the remarks, of equal ones the shortest; empty if none is one."""
    from learnloop.learn.hear import wording  # a verdict has hardly any theme

    says = (str(doc.get("says") or "") for doc in group)
    stated = Counter(statement for statement in says if wording.orders(statement))
    return min(stated, key=lambda statement: (-stated[statement], len(statement), statement), default="")
