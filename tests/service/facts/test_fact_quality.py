"""How good facts are: of any answers, by labels."""

import json

import pytest

from learnloop.errors import Unreadable
from learnloop.service.facts import fact_quality
from learnloop.service.workspace import Workspace
from tests.fact_scene import asked, item, reading, say

SAID = (
    "the branch of a session is committed to, never main", "handlers log with structlog in this shop",
    "prices are integers of cents in every table",
)  # fmt: skip
FACTS = ("Commit to the branch of a session", "Handlers log with structlog", "Prices are integers of cents")


LABELS = [
    *(json.dumps({"text": said, "facts": [found]}) for said, found in zip(SAID, FACTS, strict=True)),
    *(
        json.dumps({"statement": f"{words}.", "verdict": verdict})
        for words, verdict in ((FACTS[0], "A"), (FACTS[1], "D"), ("Never said", "A"))
    ),
]


def _score(one: fact_quality.AnswerScore) -> tuple[int, ...]:
    return one.drafts, one.judged, one.approved, one.reversed, one.lessons, one.found


def test_answers_are_scored_by_labels_and_verdicts(ws: Workspace) -> None:
    say(ws.root, *SAID)
    [request] = asked(ws)
    given = reading(item(FACTS[0]), item(FACTS[1], "p2", sure=50), item("Deploy on Friday", "p2"))
    lines = [json.dumps({**request, "answer": given}), "", json.dumps({**request, "answer": {"no": 1}})]
    everything, sure = fact_quality.of_answers(LABELS, lines)
    assert (_score(everything), _score(sure)) == ((2, 2, 1, 1, 3, 2), (1, 1, 1, 0, 3, 1))
    assert (everything.answers, everything.failed, sure.least_sure) == (2, 1, 65)
    assert everything.approved_interval is not None
    assert everything.approved_interval.low < 0.5 < everything.approved_interval.high
    with pytest.raises(Unreadable, match="line 1 is no request"):
        fact_quality.of_answers(LABELS, ['{"answer": {}}'])


@pytest.mark.parametrize(
    "line",
    ["no JSON", "[]", '{"text": 1, "facts": []}', '{"text": "x"}', '{"statement": "x", "verdict": "E"}'],
)
def test_a_line_without_labels_is_refused(line: str) -> None:
    with pytest.raises(Unreadable, match="line 1"):
        fact_quality.of_answers([line], [])
