"""How many recalls are beside the point: thirty lessons over the shared transcripts, judged by hand."""

import pytest

from learnloop.recall.compile import records
from learnloop.wire import relevance
from tests.recall import precision

pytestmark = pytest.mark.skipif(
    not precision.FOLDER.exists(), reason="the shared transcripts are not here (../shared/data/transcripts)"
)
MOST_IRRELEVANT = 0.10


def test_at_most_one_recall_in_ten_is_beside_the_point() -> None:
    table = precision.table()
    told = [found.key for found in precision.replay()]
    unjudged = set(told) - {*table["relevant"], *table["irrelevant"]}
    assert not unjudged, "judge them by hand, then add them to tests/data/precision.json"
    assert len(told) >= 15, "too few to say anything"
    beside = [key for key in told if key in table["irrelevant"]]
    assert len(beside) <= MOST_IRRELEVANT * len(told)


def test_no_recall_that_was_judged_relevant_is_lost() -> None:
    assert set(precision.table()["relevant"]) <= {found.key for found in precision.replay()}


def test_no_critical_lesson_is_missed_where_its_target_matches() -> None:
    """Each is told in the session by the first call that its pattern matches, at the latest."""
    told = {(found.lesson, found.moment.session): found.moment.name for found in precision.replay()
            if found.moment.asked["moment"] == "tool"}  # fmt: skip
    critical = [record for record in records(precision.lessons()) if record["priority"] == "CRITICAL"]
    matching = 0
    for moment in precision.moments():
        ready = relevance.Moment(moment.asked)
        for record in critical if moment.asked["moment"] == "tool" else ():
            if relevance.target(record, ready)[1] and not relevance.scope_miss(record, ready):
                matching += 1
                first = told.get((record["id"], moment.session))
                assert first is not None
                assert int(first.rpartition(":")[2]) <= int(moment.name.rpartition(":")[2])
    assert matching >= 3


def test_the_set_is_thirty_lessons_and_the_table_has_no_words_of_the_transcripts() -> None:
    table = precision.table()
    assert len(table["lessons"]) == 30
    assert all(len(key) == 12 and int(key, 16) >= 0 for key in (*table["relevant"], *table["irrelevant"]))
