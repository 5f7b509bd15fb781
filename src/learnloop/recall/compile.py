"""Lessons become the bytes of the recall index. Pure.

Only active, unpaused lessons go in: what nobody approved is not in the bytes.
The format is described in `wire.index`, how it is searched in `wire.search`.
"""

import _sre  # type: ignore[import-not-found]  # what `re` hands its expressions to
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from learnloop.learn.language import rarity
from learnloop.learn.language.rarity import NO_SHARES, Shares, WordShares
from learnloop.learn.lessons import acts, content, origins, sanitize, trigger_words
from learnloop.models.ids import SHORTEST, short_ids
from learnloop.models.preferences import Belief
from learnloop.recall import index_file
from learnloop.wire import check_rules, globs, origin, relevance, render, search
from learnloop.wire.search import target_key

Record = dict[str, Any]
KNOWN = "_known"
"""The field with the places where agents read a lesson anyway: [[host, project, agent, file:line]]."""
TRIAL = "_trial"
"""The field with the experiment that a lesson is under test in: {id, salt, arms}."""
MOST_VALUES, MOST_LETTERS = 100, 500
"""Limits of patterns or words per kind, and of characters in each; the rest is left out."""
MOST_STANDING = 60
"""Standing lessons for each agent of a project that hooks look at; a start's budget holds no more."""
_MOST_SPOKEN, _MOST_TELLING = 24, 16


def compile_index(
    lessons: Iterable[Mapping[str, Any]], header: Mapping[str, Any], now: str = "", shares: Shares = NO_SHARES
) -> bytes:
    """The index of the recallable ones among these lessons (JSON documents of any status), with a header.

    Lessons that expired at `now` are left out. `shares` tell how common words are in the person's prompts.
    """
    body = bytearray()
    groups: dict[str, list[Record]] = {}
    room = render.most_characters(int(header.get("budgets", {}).get("call_tokens", 400)))
    for lesson_record in records(lessons, now, room, shares):
        place = str(lesson_record.get("repo") or lesson_record["project"])
        groups.setdefault(place, []).append(lesson_record)
    places = {place: _section(body, group) for place, group in sorted(groups.items())}
    for place, group in groups.items():  # a checkout finds its section by its folder, without its name
        places |= {lesson_record["project"]: places[place] for lesson_record in group}
    every = [lesson_record for group in groups.values() for lesson_record in group]
    full = {
        **header,
        "lessons": len(every),
        "gates": sum("stop" in lesson_record for lesson_record in every),
        "checks": sum("checks" in lesson_record for lesson_record in every),
        "dues": sum(any(map(_at_end, lesson_record.get("checks", ()))) for lesson_record in every),
        "looks": sorted({look for lesson_record in every for look in _looks(lesson_record)}),
        "trials": sum("trial" in lesson_record for lesson_record in every),
        "global": places.pop("", None),
        "named": sum("repo" in lesson_record for lesson_record in every),
        "projects": index_file.project_table(body, places),
    }
    return index_file.whole(full, body)


def records(
    lessons: Iterable[Mapping[str, Any]], now: str = "", room: int = content.ROOM, shares: Shares = NO_SHARES
) -> Iterator[Record]:
    """The index record of each recallable lesson; short ids are unique among all lessons.

    `room` is the number of characters that a lesson may take with its whole content.
    """
    every = list(lessons)
    short = short_ids(lesson["id"] for lesson in every)
    is_id = names(short)
    for lesson in every:
        expires = lesson.get("expires_at")
        if (
            lesson.get("status") == "active"
            and not lesson.get("paused")
            and str(lesson.get("statement", "")).strip()
            and not (expires and now and expires <= now)
        ):
            yield record(lesson, short[lesson["id"]], is_id, room, shares, now)


def names(lesson_ids: Iterable[str]) -> Callable[[str], bool]:
    """A test whether a text is a lesson's id or a prefix of one."""
    prefixes: set[str] = set()

    def is_id(word: str) -> bool:
        if not prefixes:  # hardly any lesson needs them
            prefixes.update(name[:end] for name in lesson_ids for end in range(SHORTEST, len(name) + 1))
            prefixes.add("")
        return word in prefixes

    return is_id


def belief_document(belief: Belief) -> dict[str, Any]:
    """A confirmed belief as a lesson without triggers, so it is shown at session start alone."""
    return {
        "id": belief.id, "status": "active", "statement": belief.statement, "priority": "CRITICAL",
        "scope": "project" if belief.project else "global", "project": belief.project, "belief": True,
        "triggers": {"agent_names": [belief.agent] if belief.agent else []},
    }  # fmt: skip


def record(
    lesson: Mapping[str, Any], short: str, is_id: Callable[[str], bool] = lambda _word: False,
    room: int = content.ROOM, shares: Shares = NO_SHARES, now: str = "",
) -> Record:  # fmt: skip
    """The index record of a lesson; its texts are sanitised. `shares` tell which words are common."""
    safe = partial(sanitize.sanitize_line, is_id=is_id)
    triggers = lesson.get("triggers") or {}
    opening, rules = _opening(lesson), _checks(lesson)
    scope = lesson.get("scope", "project")
    fields: Record = {
        "id": lesson["id"],
        "short": short,
        "text": safe(lesson["statement"]),
        "priority": lesson.get("priority", "MEDIUM"),
        "tools": _tools(triggers, opening),
        "files": _unique(acts.expand_braces(_fitting((*triggers.get("file_patterns", ()), *opening)))),
        "commands": _unique(triggers.get("command_patterns", ())),
        "action": _unique(triggers.get("action_keywords", ())),
        "context": _unique(triggers.get("context_keywords", ())),
        "agents": _unique(triggers.get("agent_names", ())),
        "project": "" if scope == "global" else lesson.get("project", ""),
        "path": lesson.get("path", "") if scope == "module" else "",
    }
    fields["telling"] = _telling(fields, lesson, shares)
    if lesson.get("content"):
        fields["facts"] = content.agent_text(lesson, room - len(short), safe)
    place = origin.key(fields["project"], str(lesson.get("repo", "")))
    optional = {
        "repo": place if place[:1] not in ("", "/") else None,
        "checks": rules or None,
        "codes": _codes(rules) or None,
        "stop": any("stops" in rule for rule in rules) or None,
        "known": lesson.get(KNOWN) or None,
        "trial": _trial(lesson, safe),
        "belief": lesson.get("belief") or None,
        "expires": lesson.get("expires_at") or None,
        "rank": lesson.get(origins.RANK),
        "more": safe(origins.further_details(lesson)) or None,
        "origin": origins.in_person(lesson, now) or None,
        "standing": _standing(fields, lesson),
        "stake": _stake(fields, lesson),
    }  # fmt: skip
    return fields | {name: value for name, value in optional.items() if value is not None}


def _trial(lesson: Mapping[str, Any], safe: Callable[[str], str]) -> Record | None:
    """The experiment of a lesson, its other words sanitised."""
    trial = lesson.get(TRIAL)
    if not trial:
        return None
    arms = [[ends, name, int(tells), safe(wording)] for ends, name, tells, wording in trial["arms"]]
    return {**trial, "arms": arms}


def _checks(lesson: Mapping[str, Any]) -> list[Record]:
    """The rules that bind: what forbids an act stops it, or is reminded of at the end; so is what is due."""
    stops, reminds = bool(lesson.get("stops")), bool(lesson.get("reminds"))
    bound = {"stops": True} if stops else {}
    forbidding = [
        {**rule, "then": [] if rule["form"] == "never" else rule["then"], **bound}
        for rule in (acts.forbidding(lesson) if stops or reminds else ())
    ]
    gates = [{**rule, "stops": True} for rule in acts.gates(lesson)]
    return [*forbidding, *(acts.due_rules(lesson) if reminds else ()), *gates, *_run(lesson)]


def _run(lesson: Mapping[str, Any]) -> Iterator[Record]:
    """The rule that the person's own command passes after a file was written."""
    if run := lesson.get("run"):
        yield {"form": "due", "act": [{"on": "write", "files": ["**"]}], "then": [], "run": run}


def _codes(rules: list[Record]) -> dict[str, list[Any]]:
    """The expressions of rules as `wire.check_rules` takes them, so that a hook has not to load `re`."""
    events = (event for rule in rules for side in ("act", "then") for event in rule.get(side, ()))
    values = (value for event in events for value in event.values())
    named = (text for value in values for text in (value if isinstance(value, list | tuple) else [value]))
    texts = {text for text in map(str, named) if text.startswith(check_rules.EXPRESSION)}
    return {text: _code(text.removeprefix(check_rules.EXPRESSION)) for text in sorted(texts)}


def _code(expression: str) -> list[Any]:
    """An expression as this interpreter runs it: [its version of that, flags, groups, code]."""
    compiled = re.compile(expression, re.M)
    code: list[int] = re._compiler._code(re._parser.parse(expression, re.M), re.M)  # type: ignore[attr-defined]
    return [_sre.MAGIC, compiled.flags, compiled.groups, code]


def _at_end(rule: Record) -> bool:
    """Whether the end of a turn may be sent back for a rule."""
    says = any(event["on"] == "say" for side in ("act", "then") for event in rule.get(side, ()))
    return says or rule["form"] == "due" or "stops" not in rule


def _looks(lesson_record: Record) -> Iterator[str]:
    """What hooks have to look at besides calls that write or run: `read`, `tool`, `say`, how calls `end`."""
    for rule in lesson_record.get("checks", ()):
        kinds = {event["on"] for side in ("act", "then") for event in rule.get(side, ())}
        yield from kinds & {"read", "tool", "say"}
        yield from {"run"} & set(rule)
        if rule["form"] != "never" and (rule.get("passing") or kinds & {"read", "tool"}):
            yield "end"


def _opening(lesson: Mapping[str, Any]) -> list[str]:
    """The files whose change makes something due: the lesson is told there, unless it is about the end."""
    rules = (rule for rule in acts.due_rules(lesson) if not rule.get("passing"))
    events = (event for rule in rules for event in rule["act"])
    return [name for event in events if event["on"] == "write" for name in event.get("files", ())]


def _tools(triggers: Mapping[str, Any], opening: list[str]) -> list[str]:
    """The tools of a lesson; one that makes something due is told at the change that does."""
    tools = _unique(triggers.get("tool_names", ()))
    return _unique((*tools, *relevance.FILE_TOOLS)) if tools and opening else tools


def _telling(fields: Record, lesson: Mapping[str, Any], shares: Shares) -> dict[str, int]:
    """What the words of a lesson count at prompts, the most telling ones of a long lesson.

    How to behave towards the person matters at any prompt: of such a lesson only declared words count. A
    command of plain words (`git push`) is a declared phrase too: the prompt that asks for it comes first.
    """
    statement, spoken = str(lesson["statement"]), fields["context"]
    if not trigger_words.is_conduct(statement):
        content_words = trigger_words.content_words(statement, _MOST_SPOKEN)
        spoken = [*content_words, *spoken, *_unique(lesson.get("keywords", ()))]
    share = WordShares(shares, lesson.get("project", "")).share
    calls = [
        command for command in fields["commands"] if " " in command and command.replace(" ", "").isalpha()
    ]
    counts = rarity.weights([*fields["action"], *calls], statement, dict.fromkeys(spoken), share)
    return dict(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:_MOST_TELLING])


def _stake(fields: Record, lesson: Mapping[str, Any]) -> list[str] | None:
    """The telling words that a lesson without files and commands speaks against, or that are its moment."""
    if fields["files"] or fields["commands"]:
        return None
    parts = trigger_words.parts(str(lesson["statement"]))
    spoken = set(trigger_words.content_words(f"{parts.unwanted}\n{parts.moment}", _MOST_SPOKEN))
    return [word for word in fields["telling"] if spoken.issuperset(word.split())] or None


def _standing(fields: Record, lesson: Mapping[str, Any]) -> int | None:
    """The rank of a lesson that no call or prompt is the moment of; None for all others.

    It is recalled at the start instead, as CRITICAL lessons and discoveries are anyway, and LOW ones never.
    """
    has_moment = fields["files"] or fields["commands"] or fields["action"]
    if has_moment or fields["priority"] in ("CRITICAL", "LOW") or origins.RANK in lesson:
        return None
    seen = min(int(lesson.get("seen_count", 1)), 99)
    return relevance.MULTIPLIERS[fields["priority"]] * 100 + seen


def _fitting(values: Iterable[str]) -> list[str]:
    return [value for value in values if len(value) <= MOST_LETTERS][:MOST_VALUES]


def _unique(values: Iterable[str]) -> list[str]:
    stripped = (value.strip() for value in values)
    return _fitting(dict.fromkeys(value for value in stripped if value))


def _section(body: bytearray, group: list[Record]) -> list[int]:
    """Add the lessons of one project with their keys; [offset, length] of the section's head."""
    group = sorted(group, key=lambda lesson_record: (_shape(lesson_record), lesson_record["id"]))
    patterns = (pattern for lesson_record in group for pattern in lesson_record["files"])
    words = _word_postings(group)
    head = {
        "lessons": len(group),
        "shapes": _shapes(group),
        "repeats": max(Counter(words).values(), default=1),
        "absolute": any(pattern.startswith("/") for pattern in patterns),
    }
    return index_file.section(body, head, group, _postings(group, words))


_KEYWORDS = ("action", "context")


def _shape(lesson_record: Record) -> tuple[int, ...]:
    """What a score depends on besides matches: priority, tools, kinds of targets, counts of keywords."""
    tools = sum(search.TOOL_BITS.get(name, 0) for name in lesson_record["tools"])
    return (
        relevance.MULTIPLIERS[lesson_record["priority"]],
        tools or (16 if lesson_record["tools"] else 0),
        int(bool(lesson_record["files"])),
        int(bool(lesson_record["commands"])),
        *(min(len(lesson_record[name]), search.MOST_DECLARED) for name in _KEYWORDS),
    )


def _shapes(group: list[Record]) -> list[list[int]]:
    shapes: list[list[int]] = []
    for number, lesson_record in enumerate(group):
        shape = list(_shape(lesson_record))
        if not shapes or shapes[-1][1:] != shape:
            shapes.append([number, *shape])
    return shapes


def _postings(group: list[Record], by_word: list[tuple[int, int, int]]) -> dict[int, list[int]]:
    """Lesson numbers by key: one list under targets and agents, three lists under words."""
    targets: dict[int, list[int]] = {}
    for number, key in sorted(_target_postings(group)):
        targets.setdefault(key, []).append(number)
    words: dict[int, tuple[list[int], list[int], list[int]]] = {}
    for entry, kind, key in sorted(by_word):
        words.setdefault(key, ([], [], []))[kind].append(entry)
    for key, (action, context, telling) in words.items():
        targets[key] = [len(action), len(context), *action, *context, *telling]
    return targets


def _target_postings(group: list[Record]) -> set[tuple[int, int]]:
    options = [target_options(lesson_record) for lesson_record in group]
    rarity = Counter(key for lesson in options for key in set().union(*lesson))
    posted: set[tuple[int, int]] = set()
    for number, lesson_record in enumerate(group):
        rarest = (min(pattern_keys, key=lambda key: (rarity[key], key)) for pattern_keys in options[number])
        posted.update((number, key) for key in rarest)
        posted.update((number, key) for key in call_keys(lesson_record))
        posted.add((number, search.target_key("i", lesson_record["id"])))
        if lesson_record["priority"] == "CRITICAL" or "rank" in lesson_record:
            posted.update((number, search.target_key("g", name)) for name in _agents(lesson_record))
    return posted | _standing_postings(group)


def _standing_postings(group: list[Record]) -> set[tuple[int, int]]:
    """The first standing lessons of each agent, under the key of the start."""
    standing = [
        (-lesson_record["standing"], lesson_record["id"], number)
        for number, lesson_record in enumerate(group)
        if "standing" in lesson_record
    ]
    counts: Counter[str] = Counter()
    posted: set[tuple[int, int]] = set()
    for _, _, number in sorted(standing):
        for name in _agents(group[number]):
            counts[name] += 1
            if counts[name] <= MOST_STANDING:
                posted.add((number, search.target_key("g", name)))
    return posted


def _agents(lesson_record: Record) -> list[str]:
    """The agents that a lesson is for, "" for all."""
    return [name.lower() for name in lesson_record["agents"]] or [""]


def _word_postings(group: list[Record]) -> list[tuple[int, int, int]]:
    """The entry of each keyword, its list and its key; two keywords with one key stand there twice."""
    words = [list(keyword_words(lesson_record)) for lesson_record in group]
    counts = Counter(word for lesson in words for word in {word for _, word in lesson})
    return [
        (
            number << search.WEIGHT_BITS | weight if kind == TELLING else number,
            kind,
            search.word_key(word),
        )
        for number, lesson_record in enumerate(group)
        for kind, word, weight in chosen_words(lesson_record, counts)
    ]


Readable = Mapping[str, Any]
TELLING = 2
"""The list of keyword_words with what they count at prompts, after those of keywords."""
_LISTS = (("action", search.ACTION), ("context", search.CONTEXT), ("telling", TELLING))


def target_options(record: Readable) -> list[list[int]]:
    """The keys that each pattern of a lesson could be filed under: whatever it matches has all of them."""
    by_file = (
        [key for segment in globs.parse(pattern) for key in _segment_options(segment)]
        for pattern in record["files"]
    )
    anywhere = [target_key("*", "")]
    return [*(keys or anywhere for keys in by_file), *map(_command_options, record["commands"])]


def _segment_options(segment: str) -> list[int]:
    if globs.is_plain(segment):
        return [target_key("s", segment)]
    if "[" in segment or "\\" in segment:
        return []
    starred = segment.replace("?", "*")
    head, tail = starred.partition("*")[0], starred.rpartition("*")[2]
    keys = []
    if "." in tail:
        keys.append(target_key("e", tail.rpartition(".")[2]))
    if len(tail) >= 8:
        keys.append(target_key("t", tail[-8:]))
    if len(head) >= 3:
        keys.append(target_key("h", head[:3]))
    if len(head) >= 8:
        keys.append(target_key("H", head[:8]))
    return keys


def call_keys(record: Readable) -> set[int]:
    """The keys under which a call, or the end of a turn, finds what a lesson checks."""
    rules = record.get("checks", ())
    events = (event for rule in rules for side in ("act", "then") for event in rule.get(side, ()))
    names = {name for event in events for name in _event_names(event)}
    names |= {check_rules.WRITING for rule in rules if rule.get("since") == "edit"}
    names |= {"git" for rule in rules if rule.get("since") == "commit"}
    names |= {check_rules.ENDING for rule in rules if rule["form"] == "due" or "stops" not in rule}
    return {target_key(check_rules.KEY, name) for name in names}


def _event_names(event: Readable) -> Iterable[str]:
    match event["on"]:
        case "command":
            return map(_program_key, event.get("runs", ("*",)))
        case "write":
            files = event.get("files", ("!",))
            return (check_rules.WRITING if name[:1] == "!" else check_rules.name_of(name) for name in files)
        case "say":
            return (check_rules.ENDING,)
        case on:
            return (f"?{on}",)


def _program_key(pattern: str) -> str:
    program = globs.plain_program(pattern).partition(" ")[0]
    return check_rules.ANY_COMMAND if "*" in program or globs.has_operator(pattern) else program


def _command_options(pattern: str) -> list[int]:
    anywhere = [target_key("o", "")]
    if globs.has_operator(pattern):
        return anywhere
    program, _, rest = globs.plain_program(pattern).partition(" ")
    if "*" in program:
        head = program.partition("*")[0]
        return [target_key("p", head[:3])] if len(head) >= 3 else anywhere
    keys = [target_key("c", program)]
    second = rest.partition(" ")[0]
    if second and "*" not in second:
        keys.append(target_key("d", f"{program} {second}"))
    return keys


def keyword_words(record: Readable) -> Iterator[tuple[int, bytes]]:
    """Every word of a lesson's keywords, with the list it is from."""
    for name, kind in _LISTS:
        for keyword in record[name]:
            for form in relevance.forms(keyword):
                yield from ((kind, word) for word in _form_bytes(form))


def chosen_words(record: Readable, count: Mapping[bytes, int]) -> Iterator[tuple[int, bytes, int]]:
    """For each keyword its rarest word, and what it counts; the last word in singular and plural."""
    for name, kind in _LISTS:
        for keyword in record[name]:
            weight = record["telling"][keyword] if kind == TELLING else 0
            forms = [_form_bytes(form) for form in relevance.forms(keyword)]
            fixed = forms[0][:-1] if forms else []
            if fixed:
                yield kind, min(fixed, key=lambda word: (count[word], word)), weight
            else:
                yield from ((kind, form[0], weight) for form in forms)


def _form_bytes(form: str) -> list[bytes]:
    return form.encode("utf-8", "surrogatepass").split()
