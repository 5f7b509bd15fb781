"""The tasks that may match a filter, newest first, read a few at a time."""

import heapq
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter, itemgetter

from learnloop.ingest import stored_tasks
from learnloop.models.task import Task, TaskPlace
from learnloop.service.tasks.catalogue import Current
from learnloop.store.store import Store
from learnloop.store.task_traits import TraitTest

DayPlaces = tuple[str, list[TaskPlace]]
"""A UTC day, and which of its tasks may match; none where the catalogue lacks it."""
_AT_ONCE = 100
_ESCAPED = re.compile(r'["\\]')
"""What JSON does not have as it is."""


def pages(
    root: str, current: Current, tests: Iterable[TraitTest], words: Sequence[str], *, runs: bool
) -> Iterator[list[Task]]:
    """Tasks that pass tests of traits and are stored in files with all words; runs of subagents if asked for.

    Days that the catalogue lacks are read whole.
    """
    store = Store(root)
    holding = _days_holding(store, current, list(tests), words, runs)
    for day, places in holding if words else _days(current, tests, runs):
        if day in current.behind:
            yield stored_tasks.tasks_of_utc_days(store, (day, day))
        for at in range(0, len(places), _AT_ONCE):
            yield stored_tasks.at(store, places[at : at + _AT_ONCE])


def days(root: str, words: Iterable[str]) -> Iterator[list[Task]]:
    """The tasks of each day that is stored in files with all words, newest first, without a catalogue."""
    store = Store(root)
    for day in stored_tasks.days_holding(store, _needles(words)):
        yield stored_tasks.tasks_of_utc_days(store, (day, day))


def _needles(words: Iterable[str]) -> list[bytes]:
    return [word.encode() for word in words if word.isascii() and not _ESCAPED.search(word)]


def _days(current: Current, tests: Iterable[TraitTest], runs: bool) -> Iterator[DayPlaces]:
    places = groupby(current.catalog.matching(tests, runs=runs), attrgetter("day"))
    listed = ((day, list(group)) for day, group in places if day not in current.behind)
    return heapq.merge(listed, ((day, []) for day in current.behind), key=itemgetter(0), reverse=True)


def _days_holding(
    store: Store, current: Current, tests: Sequence[TraitTest], words: Sequence[str], runs: bool
) -> Iterator[DayPlaces]:
    days = {*current.catalog.days_with(words), *current.behind}
    for day, turns in stored_tasks.turns_holding(store, _needles(words), days):
        if all(turns) and day not in current.behind:
            places = current.catalog.matching(tests, runs=runs, day=day)
            yield day, [place for place in places if _holds(place, turns)]
        elif all(turns):
            yield day, []


def _holds(place: TaskPlace, turns_by_word: Sequence[set[str]]) -> bool:
    """Whether each word is in one of a task's turns, as far as their files are read line by line."""
    own = {turn.partition("/")[2].lower() for turn in place.turns.split()}
    return all("" in turns or own & turns for turns in turns_by_word)
