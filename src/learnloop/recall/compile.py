"""From lessons to the bytes of the recall index. Pure: what comes in decides what comes out.

Only active lessons that are not paused go in: whatever nobody approved cannot be found in the bytes.
The format is described in `wire.index`, how it is searched in `wire.search`.
"""

import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from learnloop.learn.lessons import content, sanitize
from learnloop.learn.offers.discoveries import RANK, further_details
from learnloop.models.ids import SHORTEST, short_ids
from learnloop.models.preferences import Belief
from learnloop.recall import keys
from learnloop.wire import codec, index, relevance, render, search

Record = dict[str, Any]
KNOWN = "_known"
"""Where agents read a lesson already: host, project, agent (each empty for all) and file with line."""
MOST_VALUES, MOST_LETTERS = 100, 500
"""Patterns or words of a kind that a lesson is looked for by, and characters of each; more is left out."""
_PROJECTS_A_BUCKET = 8
_FILTER_BITS_A_KEY = 16


def compile_index(lessons: Iterable[Mapping[str, Any]], header: Mapping[str, Any], now: str = "") -> bytes:
    """The index of those lessons (JSON documents of any status) that are recalled, with a header.

    `now` is the time from which lessons that expired are left out.
    """
    body = bytearray()
    groups: dict[str, list[Record]] = {}
    room = render.most_characters(int(header.get("budgets", {}).get("call_tokens", 400)))
    for made in records(lessons, now, room):
        groups.setdefault(made["project"], []).append(made)
    places = {project: _section(body, group) for project, group in sorted(groups.items())}
    full = {
        **header,
        "version": index.VERSION,
        "lessons": sum(map(len, groups.values())),
        "gates": sum(bool(made.get("gate")) for group in groups.values() for made in group),
        "global": places.pop("", None),
        "projects": _project_table(body, places),
    }
    full["body"] = len(body)
    data = codec.encode(full).encode("ascii")
    prefix = b"%s%08d %08x\n" % (index.MAGIC, len(data), index.checksum(data))
    return prefix + data + bytes(body)


def records(
    lessons: Iterable[Mapping[str, Any]], now: str = "", room: int = content.ROOM
) -> Iterator[Record]:
    """What the index holds of each lesson that is recalled; short ids are unique among all lessons.

    `room` is how many characters a lesson may take where it is told with all that its kind holds.
    """
    every = list(lessons)
    short = short_ids(lesson["id"] for lesson in every)
    is_id = names(short)
    for lesson in every:
        if is_recalled(lesson, now):
            yield record(lesson, short[lesson["id"]], is_id, room)


def names(lesson_ids: Iterable[str]) -> Callable[[str], bool]:
    """Tells whether a text is a lesson's id or the beginning of one."""
    known: set[str] = set()

    def is_id(word: str) -> bool:
        if not known:  # hardly any lesson needs them
            known.update(name[:end] for name in lesson_ids for end in range(SHORTEST, len(name) + 1))
            known.add("")
        return word in known

    return is_id


def as_told(belief: Belief) -> dict[str, Any]:
    """A confirmed belief as a lesson of the index: told at the start alone, because it has no triggers."""
    return {
        "id": belief.id, "status": "active", "statement": belief.statement, "priority": "CRITICAL",
        "scope": "project" if belief.project else "global", "project": belief.project, "belief": True,
        "triggers": {"agent_names": [belief.agent] if belief.agent else []},
    }  # fmt: skip


def is_recalled(lesson: Mapping[str, Any], now: str = "") -> bool:
    """Whether a lesson is approved, in use, and has words."""
    expires = lesson.get("expires_at")
    return (
        lesson.get("status") == "active"
        and not lesson.get("paused")
        and bool(str(lesson.get("statement", "")).strip())
        and not (expires and now and expires <= now)
    )


def record(
    lesson: Mapping[str, Any], short: str, is_id: Callable[[str], bool] = lambda _word: False,
    room: int = content.ROOM,
) -> Record:  # fmt: skip
    """What the index holds of a lesson; nothing in its texts poses as something else."""
    triggers = lesson.get("triggers") or {}
    scope = lesson.get("scope", "project")
    made: Record = {
        "id": lesson["id"],
        "short": short,
        "text": _safe(lesson["statement"], is_id),
        "priority": lesson.get("priority", "MEDIUM"),
        "tools": _unique(triggers.get("tool_names", ())),
        "files": _unique(keys.braces(_fitting(triggers.get("file_patterns", ())))),
        "commands": _unique(triggers.get("command_patterns", ())),
        "action": _unique(triggers.get("action_keywords", ())),
        "context": _unique(triggers.get("context_keywords", ())),
        "keywords": _unique(lesson.get("keywords", ())),
        "agents": _unique(triggers.get("agent_names", ())),
        "project": "" if scope == "global" else lesson.get("project", ""),
        "path": lesson.get("path", "") if scope == "module" else "",
    }
    if lesson.get("content"):
        made["facts"] = content.agent_text(lesson, room - len(short), lambda words: _safe(words, is_id))
    if lesson.get("gate"):
        made["gate"] = True
    if lesson.get(KNOWN):
        made["known"] = lesson[KNOWN]
    if lesson.get("belief"):
        made["belief"] = True
    if lesson.get("expires_at"):
        made["expires"] = lesson["expires_at"]
    if lesson.get(RANK) is not None:
        made["rank"] = lesson[RANK]
    if more := _safe(further_details(lesson), is_id):
        made["more"] = more
    return made


def _safe(words: str, is_id: Callable[[str], bool]) -> str:
    return sanitize.sanitize_line(words, is_id)


def _fitting(values: Iterable[str]) -> list[str]:
    return [value for value in values if len(value) <= MOST_LETTERS][:MOST_VALUES]


def _unique(values: Iterable[str]) -> list[str]:
    stripped = (value.strip() for value in values)
    return _fitting(dict.fromkeys(value for value in stripped if value))


def _project_table(body: bytearray, places: Mapping[str, list[int]]) -> list[list[int] | None]:
    """Where each project's section is, in buckets by the hash of its folder."""
    if not places:
        return []
    buckets: list[dict[str, list[int]]] = [{} for _ in range(len(places) // _PROJECTS_A_BUCKET + 1)]
    for project, place in places.items():
        at = search.target_key("", project) % len(buckets)
        buckets[at][project] = place
    return [_segment(body, bucket) if bucket else None for bucket in buckets]


def _segment(body: bytearray, value: Any) -> list[int]:
    """Add a JSON value with its checksum; where it is."""
    data = codec.encode(value).encode("ascii")
    offset = len(body)
    body += b"%08x" % index.checksum(data) + data
    return [offset, len(body) - offset]


def _section(body: bytearray, group: list[Record]) -> list[int]:
    """Add the lessons of one project with their keys; where the section's head is."""
    group = sorted(group, key=lambda made: (_shape(made), made["id"]))
    ends = [_segment(body, made) for made in group]
    offsets = [place[0] for place in ends] + [len(body)]
    table = _postings(group)
    filter_ = _add(body, _filter(table))
    buckets, count = _buckets(body, table)
    head = {
        "lessons": len(group),
        "shapes": _shapes(group),
        "absolute": any(pattern.startswith("/") for made in group for pattern in made["files"]),
        "filter": filter_,
        "buckets": [buckets, count],
        "records": _add(body, _numbers(offsets))[0],
    }
    return _segment(body, head)


_KEYWORDS = ("action", "context", "keywords")


def _shape(made: Record) -> tuple[int, ...]:
    """What a score depends on besides targets and found keywords; last, how many keywords are declared."""
    tools = sum(search.TOOL_BITS.get(name, 0) for name in made["tools"])
    return (
        relevance.MULTIPLIERS[made["priority"]],
        tools or (16 if made["tools"] else 0),
        int(bool(made["files"])),
        int(bool(made["commands"])),
        *(min(len(made[name]), search.MOST_DECLARED) for name in _KEYWORDS),
    )


def _shapes(group: list[Record]) -> list[list[int]]:
    """Each shape with the number of its first lesson."""
    found: list[list[int]] = []
    for number, made in enumerate(group):
        shape = list(_shape(made))
        if not found or found[-1][1:] != shape:
            found.append([number, *shape])
    return found


def _postings(group: list[Record]) -> dict[int, list[int]]:
    """What stands under each key: lessons under targets and agents, three lists of lessons under words."""
    targets: dict[int, list[int]] = {}
    for number, key in sorted(_target_postings(group)):
        targets.setdefault(key, []).append(number)
    words: dict[int, tuple[list[int], list[int], list[int]]] = {}
    for number, kind, key in sorted(_word_postings(group)):
        words.setdefault(key, ([], [], []))[kind].append(number)
    for key, (action, context, other) in words.items():
        targets[key] = [len(action), len(context), *action, *context, *other]
    return targets


def _target_postings(group: list[Record]) -> set[tuple[int, int]]:
    options = [[keys.options(pattern) for pattern in keys.patterns(made)] for made in group]
    rarity = Counter(key for lesson in options for key in {key for found in lesson for key in found})
    posted: set[tuple[int, int]] = set()
    for number, made in enumerate(group):
        posted.update((number, min(found, key=lambda key: (rarity[key], key))) for found in options[number])
        if made["priority"] == "CRITICAL" or "rank" in made:
            names = [name.lower() for name in made["agents"]] or [""]
            posted.update((number, search.target_key("g", name)) for name in names)
    return posted


def _word_postings(group: list[Record]) -> set[tuple[int, int, int]]:
    words = [list(keys.words(made)) for made in group]
    rarity = Counter(word for lesson in words for word in {word for _, word in lesson})
    return {
        (number, kind, search.word_key(word))
        for number, made in enumerate(group)
        for kind, word in keys.chosen_words(made, rarity)
    }


def _filter(table: Mapping[int, Any]) -> bytes:
    """A bit for each key, so that a word that leads nowhere costs one look."""
    size = 64
    while size < len(table) * _FILTER_BITS_A_KEY:
        size *= 2
    bits = bytearray(size // 8)
    for key in table:
        bit = key & (size - 1)
        bits[bit >> 3] |= 1 << (bit & 7)
    return bytes(bits)


def _buckets(body: bytearray, table: Mapping[int, list[int]]) -> tuple[int, int]:
    """Add the postings in buckets by key, and the table of where each bucket begins."""
    count = max(len(table), 1)
    buckets: list[list[int]] = [[] for _ in range(count)]
    for key, numbers in sorted(table.items()):
        buckets[key * count >> 32] += [key, len(numbers), *numbers]
    begins = [_add(body, _numbers(bucket))[0] for bucket in buckets]
    return _add(body, _numbers([*begins, len(body)]))[0], count


def _numbers(values: Iterable[int]) -> bytes:
    """Numbers of 32 bits each, in this machine's order."""
    return array.array("I", values).tobytes()


def _add(body: bytearray, data: bytes) -> list[int]:
    offset = len(body)
    body += data
    return [offset, len(data)]
