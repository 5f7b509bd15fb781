"""What a prompt says about the turn before it: one outcome at most, judged in its context."""

import re
from dataclasses import dataclass

from learnloop.learn import cues, statement, verbs, words
from learnloop.models.feedback import EventType, FeedbackCategory

EVENT_TYPES: dict[FeedbackCategory, EventType] = {
    "correction": "revision", "rejection": "cancellation", "clarification": "revision",
    "enhancement": "success", "praise": "success", "explicit_preference": "explicit_preference",
}  # fmt: skip


@dataclass(frozen=True)
class Context:
    """What went before the prompt."""

    position: int = 1
    """How many human prompts the session has seen before; 0: nothing has been delivered yet."""
    machine: bool = False
    interrupted: bool = False
    """The turn before was interrupted."""
    failed: bool = False
    """The turn before ended in a failure, or a tool call in it failed last."""
    steering: bool = False
    """Typed while the agent was at work."""
    asked: bool = False
    """The agent's last words were a question, so that a no may be the answer to it."""
    previous: str = ""
    """What the person asked before."""


@dataclass(frozen=True)
class Verdict:
    """The one outcome of a prompt."""

    category: FeedbackCategory
    confidence: float
    reason: str
    rule: str
    event_type: EventType
    sentence: str = ""
    """The person's sentence that decided."""
    standing: bool = False
    """Said for later work too."""
    names_what: bool = False
    """Says what to do instead."""
    quote: str = ""
    """The person's own words where something was pasted with them, else empty."""
    external: bool = False
    """The sentence quotes words that may be anyone's."""

    @property
    def drafts(self) -> bool:
        """Whether one sighting is enough for a draft."""
        return self.standing or self.names_what


def judge(prompt: str, context: Context) -> Verdict | None:
    """The verdict over the turn before, or a standing instruction; None for tasks, questions, machines."""
    if (
        context.machine
        or not prompt.strip()
        or (prompt.lstrip().startswith(("/", "<")) and _is_harness(prompt))
    ):
        return None
    own = words.own(prompt)
    if not own.sentences:
        return None
    for finder in (_standing, _rejection, _correction, _clarification, _praise, _enhancement):
        verdict = finder(own, context)
        if verdict:
            return verdict
    return None


def judge_refusal(said: str) -> Verdict:
    """The verdict over a refused tool call: a correction where the words name what to do instead."""
    own = words.own(said)
    stands = _standing(own, Context()) is not None
    for sentence in own.sentences:
        if statement.of_sentence(sentence.text):
            reason = "refused a tool call and said what to do instead"
            return _verdict("correction", 0.95, reason, "refusal", own, sentence, standing=stands, names=True)
    first = own.sentences[0] if own.sentences else None
    return _verdict("rejection", 0.95, "refused a tool call", "refusal", own, first, standing=stands)


def _is_harness(prompt: str) -> bool:
    return (
        re.match(
            r"\s*(?:/[\w:-]+(?:\s|$)|<(?:local-command|command-|system-reminder|task-notification|bash-))",
            prompt,
        )
        is not None
    )


def _verdict(
    category: FeedbackCategory, confidence: float, reason: str, rule: str, own: words.Words,
    sentence: words.Sentence | None, *, standing: bool = False, names: bool = False,
) -> Verdict:  # fmt: skip
    said = sentence.text if sentence else ""
    return Verdict(
        category,
        confidence,
        reason,
        rule,
        EVENT_TYPES[category],
        own.restore(said),
        standing,
        names,
        own.text if own.pasted else "",
        own.quotes_others(said),
    )  # fmt: skip


def _standing(own: words.Words, _context: Context) -> Verdict | None:
    for sentence in own.sentences:
        if sentence.asks and not cues.POLITE_ORDER.search(sentence.text):
            continue
        for name, pattern, confidence in cues.STANDING:
            if name == "all must" and len(own.sentences) > 1:  # a line of a specification
                continue
            if _stands(pattern, sentence.text):
                return _verdict(
                    "explicit_preference",
                    confidence,
                    f"standing form: {name}",
                    f"standing:{name}",
                    own,
                    sentence,
                    standing=True,
                )
    return None


def _stands(pattern: re.Pattern[str], text: str) -> bool:
    found = pattern.search(text)
    if found is None or cues.TASK_ABOUT_WORDS.search(text) or cues.ASKS_WHETHER.search(text):
        return False
    groups = found.groupdict()
    verb, order = groups.get("verb"), groups.get("order")
    return (verb is None or verbs.is_verb(verb)) and (order is None or verbs.may_be_verb(order))


def _rejection(own: words.Words, context: Context) -> Verdict | None:
    if context.position == 0:
        return None
    first = own.sentences[0]
    for name, pattern, confidence in cues.REJECTION:
        if pattern.search(first.text):
            instead = _named(own, own.sentences[1]) if name == "not wanted" and own.sentences[1:] else None
            if instead:
                return _verdict(
                    "correction", confidence, name, f"correction:{name}", own, instead, names=True
                )
            return _verdict("rejection", confidence, name, f"rejection:{name}", own, first)
    return None


def _correction(own: words.Words, context: Context) -> Verdict | None:
    if context.position == 0:
        return None
    for sentence in own.sentences:
        for name, pattern, confidence in cues.CORRECTION:
            if pattern.search(sentence.text) and not _asks_back(sentence):
                return _corrected(own, sentence, name, confidence)
    first = own.sentences[0]
    if len(own.sentences) == 1 and not first.asks and statement.is_swap(first.text):
        return _corrected(own, first, "this instead of that", 0.72)
    if not cues.OPENER.search(first.text) or (context.asked and not _swaps(first)):
        return None
    return _corrected(own, first, "opens with a contradiction", 0.8)


def _swaps(sentence: words.Sentence) -> bool:
    """Whether a sentence says what instead of what: more than an answer."""
    return statement.of_sentence(sentence.text, statement.SURE) is not None


_QUESTION = re.compile(r"(?:do|does|is|are|can|could|any|what|how|which|should|for|if)\b", re.I)


def _asks_back(sentence: words.Sentence) -> bool:
    """Whether a sentence only asks about a fault: `any idea why this doesn't work?`."""
    return sentence.asks and _QUESTION.match(sentence.text) is not None


def _corrected(own: words.Words, sentence: words.Sentence, name: str, confidence: float) -> Verdict:
    named = None if name in cues.REPORTS else _named(own, sentence)
    swaps = name in ("misunderstood", "I said") and any(
        cues.INSTEAD.search(one.text) for one in own.sentences
    )
    is_wordless = name in cues.WORDLESS or swaps
    rule = f"correction:{name}"
    return _verdict(
        "correction", confidence, name, rule, own, named or sentence, names=named is not None or is_wordless
    )


def _named(own: words.Words, start: words.Sentence) -> words.Sentence | None:
    """The sentence, from the one that decided onwards, that says what to do instead."""
    at = own.sentences.index(start)
    for sentence in own.sentences[at : at + 3]:
        if not sentence.asks and statement.is_rule(sentence.text):
            return sentence
    return None


def _clarification(own: words.Words, context: Context) -> Verdict | None:
    return _first(own, context, "clarification", cues.CLARIFICATION)


def _praise(own: words.Words, context: Context) -> Verdict | None:
    if len(own.sentences) > 2 or own.chars > 120 or own.sentences[0].asks:
        return None
    first = own.sentences[0]
    if context.position and len(own.sentences) == 1 and cues.THANKS.search(first.text):
        return _verdict("praise", 0.65, "thanks", "praise:thanks", own, first)
    return _first(own, context, "praise", cues.PRAISE)


def _enhancement(own: words.Words, context: Context) -> Verdict | None:
    return _first(own, context, "enhancement", cues.ENHANCEMENT)


def _first(
    own: words.Words, context: Context, category: FeedbackCategory, table: tuple[cues.Cue, ...]
) -> Verdict | None:
    if context.position == 0:
        return None
    sentence = own.sentences[0]
    for name, pattern, confidence in table:
        if pattern.search(sentence.text):
            return _verdict(category, confidence, name, f"{category}:{name}", own, sentence)
    return None
