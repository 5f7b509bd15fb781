"""Three traits of how a person wants to work with agents, from remarks, weighted by age. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from learnloop.learn.language import words
from learnloop.learn.profile import beliefs
from learnloop.models.preferences import Belief, Signal, Trait, TraitName
from learnloop.wire import clock

QUOTE = 300


class TraitSides(NamedTuple):
    """The two opposite values of a trait, and the value between them, if there is one."""

    one: str
    other: str
    between: str = "unknown"


TRAITS: dict[TraitName, TraitSides] = {
    "verbosity": TraitSides("concise", "detailed"),
    "autonomy": TraitSides("ask_first", "just_do_it", "balanced"),
    "explanation_depth": TraitSides("minimal", "thorough", "moderate"),
}
STATEMENTS: dict[TraitName, dict[str, str]] = {
    "verbosity": {
        "concise": "This user wants short answers.",
        "detailed": "This user wants detailed answers.",
    },
    "autonomy": {
        "ask_first": "This user wants to be asked before changes are made.",
        "just_do_it": "This user wants the work done without being asked for confirmation.",
        "balanced": "This user wants small changes done without asking, and to be asked before large ones.",
    },
    "explanation_depth": {
        "minimal": "This user wants changes without explanations.",
        "moderate": "This user wants changes explained in a few sentences.",
        "thorough": "This user wants changes explained thoroughly.",
    },
}
"""Sentences that agents get for a confirmed value."""

_ANSWERS = r"(?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|explanations?|messages)"
_CONSENT = r"(?:ok|okay|approval|permission|confirmation|consent|go-?ahead)"
_WORDS: dict[tuple[TraitName, str], str] = {
    ("verbosity", "concise"): rf"""
        \b(?:too|so|overly|very|less)\s(?:long|verbose|wordy|chatty)\b
        |\btoo\smuch\s(?:text|detail|information|prose|explanation)\b
        |\b(?:be|more)\s(?:more\s|very\s)?(?:concise|brief|terse)\b|\bshort(?:er)?\s{_ANSWERS}\b
        |\bkeep\s(?:it|this|them|(?:your\s|the\s)?{_ANSWERS})\s(?:short|brief|concise)\b""",
    ("verbosity", "detailed"): r"""
        \bmore\s(?:details?|information|explanations?|context)\b|\btoo\s(?:brief|short|terse|vague)\b
        |\bbe\smore\s(?:detailed|thorough|specific)\b""",
    ("autonomy", "ask_first"): rf"""
        \bask\sme\s(?:first|before)\b|\bcheck\swith\sme\b|\bdo(?:n't|\snot)\sassume\b
        |(?:^|[,;.]\s*|\b(?:please|always|and|just)\s)(?:ask|confirm)\s(?:first|before|with\sme)\b
        |\b(?:get|wait\sfor|needs?)\smy\s{_CONSENT}\b
        |\b(?:do(?:n't|\snot)|never|stop|you(?!\s(?:can|may|could|should|are)\b)|why\sdid\syou)\b[^.;]*
        \bwithout\s(?:asking|checking|(?:my|any)\s{_CONSENT})
        |\b(?:do(?:n't|\snot)|never)\b[^.;]*\buntil\si\s(?:say|approve|confirm|agree|ok)\b""",
    ("autonomy", "just_do_it"): rf"""
        \bjust\s(?:do|make|fix|apply|run|finish)\s(?:it|that|this|them|the\s(?:change|fix|edit)s?)\b
        |\b(?:stop|quit)\sasking\b
        |\b(?:do(?:n't|\snot)|never|no\sneed\sto)\s(?:keep\s)?ask(?:ing)?\b(?!\sfor\s(?:a|the)\b)
        |(?:^|\b(?:it|that|this|them|ahead|on|proceed|continue|you\scan\b[^.;]*)\s)
        without\s(?:asking|my\s{_CONSENT})""",
    ("explanation_depth", "minimal"): r"""
        \b(?:don't|do\snot|stop|no\sneed\sto|never)\s(?:always\s)?explain(?:ing)?\b
        |\b(?:no|skip\s(?:the|all|your)|without|fewer|less)\sexplanations?\b(?!\s+(?:is|was|given))
        |\b(?:just|only)\s(?:give\sme\s|show\sme\s)?the\s(?:code|diff|answer|command)\b""",
    ("explanation_depth", "thorough"): r"""
        \bexplain\s(?:more|your(?:self)?|what\syou|why\syou|each|every|better)\b|\bteach\sme\b
        |\bexplain\s(?:it\s|this\s|that\s)?(?:in\s(?:more\s)?detail|step\sby\sstep)\b|\btell\sme\swhy\syou\b
        |\b(?:more|better|longer|thorough)\sexplanations?\b|\b(?:talk|take|lead)\sme\sthrough\b
        |\bwalk\sme\sthrough\s(?:what\syou|your|the\schanges?)\b
        |\byou\s(?:didn't|did\snot|never)\sexplain\b|\b(?:help|let)\sme\sunderstand\b
        |\b(?:say|tell\sme|describe)\s(?:why|what\syou\s(?:did|changed?|are\sdoing))\b""",
}
_FORMS = {side: re.compile(words_, re.X) for side, words_ in _WORDS.items()}
_CODE = re.compile(
    r"\b(?:functions?|methods?|class(?:es)?|files?|lines?|variables?|names?|quer(?:y|ies)|titles?|labels?|strings?"
    r"|urls?|paths?|commits?|tests?|builds?|timeouts?|delays?|requests?|passwords?|lists?|columns?|fields?|pages?"
    r"|errors?|logs?|logging|tables?|docstrings?|readme|docs?|comments?|buttons?|tooltips?|dialogs?|forms?|cli|api"
    r"|takes?|took|taking|wait(?:s|ed|ing)?|loading|modules?|components?|users?|app|tokens?|keys?|prs?)\b",
    re.I,
)
"""A remark with one of these words is about the work, not about how the agent talks."""
_OF_TALK = frozenset({"verbosity", "explanation_depth"})


class TraitRemark(NamedTuple):
    """A remark for one side of a trait."""

    trait: TraitName
    side: str
    quote: str


def find_remarks(text: str) -> list[TraitRemark]:
    """A prompt's remarks about the three traits, each side at most once; code and quotes are ignored."""
    latest_first = reversed(list(_all_remarks(text)))
    return list({(remark.trait, remark.side): remark for remark in latest_first}.values())[::-1]


def _all_remarks(text: str) -> Iterator[TraitRemark]:
    own = words.own_words(text)
    for sentence in own.sentences:
        plain = sentence.text.replace("’", "'")
        if sentence.asks and not re.match(r"(?:can|could|would|will|why) ", plain, re.I):
            continue
        low = plain.lower()
        sides = [key for key, form in _FORMS.items() if form.search(low)]
        is_work = bool(_CODE.search(plain))
        for trait, side in sides:
            if is_work and trait in _OF_TALK:
                continue
            if side == "just_do_it" and (trait, "ask_first") in sides:
                continue  # `don't do it without asking` holds both forms and means this one
            yield TraitRemark(trait, side, own.restore(sentence.text)[:QUOTE])


Doc = dict[str, Any]
DAY_MS = 86_400_000
ENOUGH = 3
"""Remarks that one side needs to become the value (the specification's 3+ signals)."""
BOTH = 2
"""Remarks that each side needs for a conflict."""
FADED = 0.125
"""A remark of this weight or less no longer counts: three half-lives, the 90 days that events are kept."""
SHARE = 1 / 3
"""Share of the stronger side's weight that the weaker side needs for a conflict."""
MOST_SIGNALS = 60
"""Newest remarks that are stored for each side."""


def weight(age_days: float, half_life_days: float) -> float:
    """0.5 ** (age / half-life); 1 for a remark of now or with a time in the future."""
    return float(0.5 ** (max(age_days, 0.0) / half_life_days))


def trait(
    name: TraitName, signals: Iterable[Mapping[str, Any]], *, now_ms: int, half_life_days: float = 30.0,
    confirmed: Belief | None = None, dismissed: Belief | None = None,
) -> Trait:  # fmt: skip
    """A trait from stored remarks ({side, quote, session_id, event_id, ts, project}) as of `now_ms`."""
    sides = TRAITS[name]
    newest_first = sorted(signals, key=lambda signal: (signal["ts"], signal["event_id"]), reverse=True)
    ages = [(now_ms - clock.parse_ms(signal["ts"])) / DAY_MS for signal in newest_first]
    weighted = [
        Signal.model_validate({**signal, "weight": round(weight(age, half_life_days), 4)})
        for signal, age in zip(newest_first, ages, strict=True)
    ]
    living = [signal for signal in weighted if signal.weight > FADED]
    by_side = {side: tuple(signal for signal in living if signal.side == side) for side in sides[:2]}
    value, conflict = judge_sides(by_side[sides.one], by_side[sides.other], sides)
    statements = STATEMENTS[name]
    return Trait(
        id=trait_id(name), name=name, value=value,
        strength=strength(by_side[sides.one], by_side[sides.other]) if value != "unknown" else 0.0,
        statement=statements.get(value, ""), sides=(sides.one, sides.other),
        evidence={side: tuple(signal for signal in weighted if signal.side == side) for side in sides[:2]},
        conflict=conflict, confirmed=confirmed is not None,
        confirmed_value=confirmed.value if confirmed else None,
        confirmed_statement=confirmed.statement if confirmed else None,
        dismissed=dismissed is not None and dismissed.value == value, choices=statements,
    )  # fmt: skip


def judge_sides(first: Sequence[Signal], second: Sequence[Signal], sides: TraitSides) -> tuple[str, bool]:
    """The value by the remarks of both sides, and whether the sides are in conflict.

    A conflict needs two remarks of each side, neither outweighed threefold: the value is then the one between
    the sides, if there is one. Otherwise a side with three remarks that outweighs the other is the value.
    Anything else is unknown.
    """
    first_weight, second_weight = _total(first), _total(second)
    if _are_even(first, second):
        return sides.between, True
    if len(first) >= ENOUGH and first_weight > second_weight:
        return sides.one, False
    if len(second) >= ENOUGH and second_weight > first_weight:
        return sides.other, False
    return "unknown", False


def strength(first: Sequence[Signal], second: Sequence[Signal]) -> float:
    """How clear the remarks are, 0–1: (stronger − weaker) ÷ (stronger + weaker + 1), in weights.

    The 1 keeps a few remarks from looking certain. In a conflict 2 · weaker replaces the difference: more
    remarks, and more even ones, make the conflict clearer.
    """
    most, least = max(_total(first), _total(second)), min(_total(first), _total(second))
    return round((2 * least if _are_even(first, second) else most - least) / (most + least + 1), 3)


def _are_even(first: Sequence[Signal], second: Sequence[Signal]) -> bool:
    weights = sorted((_total(first), _total(second)))
    return min(len(first), len(second)) >= BOTH and weights[0] >= SHARE * weights[1]


def trait_id(name: TraitName) -> str:
    """The id of a trait as a belief."""
    return beliefs.belief_id("trait", name)


def newest_signals(signals: Iterable[Doc]) -> list[Doc]:
    """The newest remarks of each side, each event once, oldest first."""
    by_key = {(signal["event_id"], signal["side"]): signal for signal in signals}
    newest: list[Doc] = []
    for side in {signal["side"] for signal in by_key.values()}:
        of_side = sorted((signal for signal in by_key.values() if signal["side"] == side), key=_when)
        newest += of_side[-MOST_SIGNALS:]
    return sorted(newest, key=_when)


def _when(signal: Doc) -> tuple[str, str, str]:
    return signal["ts"], signal["event_id"], signal["side"]


def _total(signals: Sequence[Signal]) -> float:
    return sum(signal.weight for signal in signals)
