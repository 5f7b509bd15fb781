"""The keys under which the index files a lesson: each is necessary for its pattern or keyword to match.

`wire.search` makes the same keys from the moment at hand; the two sides have to agree.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from learnloop.wire import check_rules, globs, relevance, search
from learnloop.wire.search import target_key

Record = Mapping[str, Any]
TELLING = 2
"""The list of words with what they count at prompts, after those of keywords."""
_LISTS = (("action", search.ACTION), ("context", search.CONTEXT), ("telling", TELLING))
_MOST_BRACES = 64


def options(record: Record) -> list[list[int]]:
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


def call_keys(record: Record) -> set[int]:
    """The keys under which a call, or the end of a turn, finds what a lesson checks."""
    rules = record.get("checks", ())
    events = (event for rule in rules for side in ("act", "then") for event in rule.get(side, ()))
    names = {name for event in events for name in _event_names(event)}
    names |= {check_rules.WRITING for rule in rules if rule.get("since") == "edit"}
    names |= {"git" for rule in rules if rule.get("since") == "commit"}
    names |= {check_rules.ENDING for rule in rules if rule["form"] == "due" or "stops" not in rule}
    return {target_key(check_rules.KEY, name) for name in names}


def _event_names(event: Record) -> Iterable[str]:
    match event["on"]:
        case "command":
            return map(_program, event.get("runs", ("*",)))
        case "write":
            files = event.get("files", ("!",))
            return (check_rules.WRITING if name[:1] == "!" else check_rules.name_of(name) for name in files)
        case "say":
            return (check_rules.ENDING,)
        case on:
            return (f"?{on}",)


def _program(pattern: str) -> str:
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


def words(record: Record) -> Iterator[tuple[int, bytes]]:
    """Every word of a lesson's keywords, with the list it is from."""
    for name, kind in _LISTS:
        for keyword in record[name]:
            for form in relevance.forms(keyword):
                yield from ((kind, word) for word in _bytes(form))


def chosen_words(record: Record, count: Mapping[bytes, int]) -> Iterator[tuple[int, bytes, int]]:
    """For each keyword its rarest word, and what it counts; the last word in singular and plural."""
    for name, kind in _LISTS:
        for keyword in record[name]:
            weight = record["telling"][keyword] if kind == TELLING else 0
            forms = [_bytes(form) for form in relevance.forms(keyword)]
            fixed = forms[0][:-1] if forms else []
            if fixed:
                yield kind, min(fixed, key=lambda word: (count[word], word)), weight
            else:
                yield from ((kind, form[0], weight) for form in forms)


def _bytes(form: str) -> list[bytes]:
    return form.encode("utf-8", "surrogatepass").split()


def expand_braces(raw_patterns: Iterable[str]) -> Iterator[str]:
    """File patterns with `{a,b}` expanded: people write that, gitignore does not know it."""
    for pattern in raw_patterns:
        yield from _expanded(pattern, _MOST_BRACES)


def _expanded(pattern: str, room: int) -> list[str]:
    before, opened, rest = pattern.partition("{")
    inside, closed, after = rest.partition("}")
    if not opened or not closed or "," not in inside or "{" in inside:
        return [pattern]
    alternatives = [f"{before}{part}{after}" for part in inside.split(",")]
    return [whole for part in alternatives[:room] for whole in _expanded(part, room // len(alternatives))]
