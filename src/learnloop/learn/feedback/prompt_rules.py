"""Rules that judge a prompt: what it says about the turn before it, one verdict at most."""

import re
from dataclasses import dataclass, replace
from functools import partial

from learnloop.learn.feedback import cues, cues_faults, cues_standing
from learnloop.learn.language import instructions, lexicon, omissions, words
from learnloop.models.feedback import EventType, FeedbackCategory

EVENT_TYPES: dict[FeedbackCategory, EventType] = {
    "correction": "revision", "rejection": "cancellation", "clarification": "revision",
    "enhancement": "success", "praise": "success", "explicit_preference": "explicit_preference",
}  # fmt: skip


CORRECTING = ("correction", "rejection", "explicit_preference")
"""Categories of remarks that say how it should be instead."""


@dataclass(frozen=True)
class Context:
    """What happened before the prompt."""

    position: int = 1
    """Number of prompts that people typed in this session before; 0: nothing has been delivered yet."""
    machine: bool = False
    """A program wrote the prompt."""
    interrupted: bool = False
    """The turn before was interrupted."""
    failed: bool = False
    """The turn before ended in a failure, or its last tool call failed."""
    steering: bool = False
    """Typed while the agent was working."""
    asked: bool = False
    """The agent's last words were a question, so that a no may answer it."""
    previous: str = ""
    """The prompt before this one."""
    edited: bool = False
    """The turn before changed files."""
    reverted: bool = False
    """The person has reverted changes since then."""


@dataclass(frozen=True)
class PromptVerdict:
    """What a rule or the model makes of a prompt."""

    category: FeedbackCategory
    confidence: float
    reason: str
    rule: str
    event_type: EventType
    sentence: str = ""
    """The person's sentence that decided."""
    standing: bool = False
    """It applies to later work too."""
    names_what: bool = False
    """It says what to do instead."""

    @property
    def drafts(self) -> bool:
        """Whether one sighting is enough for a draft."""
        return self.standing or self.names_what


def judge(prompt: str, context: Context) -> PromptVerdict | None:
    """The verdict on the turn before, or a standing instruction; None for tasks, questions and machines."""
    if context.machine or not prompt.strip() or is_of_harness(prompt):
        return None
    own = words.own_words(prompt)
    if len(own.sentences) > 1 and _OUTCRY.match(own.sentences[0].text):
        own = replace(own, sentences=own.sentences[1:])
    if not own.sentences:
        return None
    return next((verdict for rule in _RULES if (verdict := rule(own, context))), None)


def is_of_harness(prompt: str) -> bool:
    """Whether a prompt is a slash command, or was put in by the client."""
    return prompt.lstrip().startswith(("/", "<")) and _HARNESS.match(prompt) is not None


_OUTCRY = re.compile(r"(?:seriously|really|ugh+|argh+|hey|huh|what|sigh|omg|wtf|hm+)$", re.I)
"""An outcry such as `seriously?` at the beginning is left out."""


def judge_refusal(reply: str) -> PromptVerdict:
    """The verdict on a refused tool call: a correction if the words say what to do instead."""
    own = words.own_words(reply)
    is_standing = _standing(own, Context()) is not None
    for sentence in own.sentences:
        if instructions.instructs(sentence.text):
            reason = "refused a tool call and said what to do instead"
            verdict = _verdict("correction", 0.95, reason, "refusal", own, sentence, names=True)
            return replace(verdict, standing=is_standing)
    first = own.sentences[0] if own.sentences else None
    verdict = _verdict("rejection", 0.95, "refused a tool call", "refusal", own, first)
    return replace(verdict, standing=is_standing)


_HARNESS = re.compile(
    r"\s*(?:/[\w:-]+(?:\s|$)|<(?:local-command|command-|system-reminder|task-notification|bash-))"
)


def _verdict(
    category: FeedbackCategory, confidence: float, reason: str, rule: str, own: words.OwnWords,
    sentence: words.OwnSentence | None, *, names: bool = False,
) -> PromptVerdict:  # fmt: skip
    text = sentence.text if sentence else ""
    return PromptVerdict(
        category, confidence, reason, rule, EVENT_TYPES[category], own.restore(text), names_what=names
    )


def _standing(own: words.OwnWords, _context: Context) -> PromptVerdict | None:
    for sentence in own.sentences:
        if sentence.asks and not cues.POLITE_ORDER.search(sentence.text):
            continue
        low = sentence.text.lower()
        for cue in cues_standing.STANDING:
            if cue.name == "all must" and len(own.sentences) > 1:  # a line of a specification
                continue
            if cue.name == "remember that" and not _is_brief(own):
                continue
            if _matches(cue, sentence.text, low):
                reason, rule = f"standing form: {cue.name}", f"standing:{cue.name}"
                decisive = _with_other_half(own, sentence)
                verdict = _verdict("explicit_preference", cue.confidence, reason, rule, own, decisive)
                return replace(verdict, standing=True)
    return None


def _matches(cue: cues.Cue, text: str, low: str) -> bool:
    match = cue.search(low)
    if match is None or (cue.name != "rule file" and any(form.search(text) for form in cues.NO_RULES)):
        return False
    verb = match.groupdict().get("verb")
    return verb is None or _may_be_verb(verb)


def _may_be_verb(word: str) -> bool:
    """Whether a word can be the base form of a verb: `run`, `vendor`, not `been`, `running`, `tests`."""
    no_base = word.endswith(("ing", "ed", "ly")) or (word.endswith("s") and not word.endswith("ss"))
    if word in lexicon.PLAIN_ORDERS or word in _SHORT_VERBS:
        return True
    return len(word) > 3 and not no_base and word not in lexicon.NO_VERBS


_SHORT_VERBS = frozenset(("be", "cut", "do", "end", "get", "let", "mix", "pin", "tag", "try", "zip"))


def _rejection(own: words.OwnWords, context: Context) -> PromptVerdict | None:
    first = own.sentences[0]
    cue = _first_cue(cues.REJECTION, first) if context.position else None
    if cue is None:
        return None
    if cue.name in cues.MAY_GO_ON:
        instead = _orders_instead(own) or (cue.name == "not wanted" and _instruction(own, 1))
        if instead:
            rule = f"correction:{cue.name}"
            return _verdict("correction", cue.confidence, cue.name, rule, own, instead, names=True)
    return _verdict("rejection", cue.confidence, cue.name, f"rejection:{cue.name}", own, first)


def _correction(own: words.OwnWords, context: Context) -> PromptVerdict | None:
    if context.position == 0:
        return None
    instead = _orders_instead(own)
    for at, sentence in enumerate(own.sentences):
        if sentence.asks and _QUESTION.match(sentence.text):
            continue
        is_first = at == 0 or (at == 1 and len(own.sentences[0].text.split()) <= _ACKNOWLEDGED)
        cue = _first_cue(cues_faults.CORRECTION if is_first else cues_faults.LATER, sentence)
        if cue and not (context.asked and cue.name in cues_faults.ANSWERS):
            if instead and cue.name in cues_faults.REPORTS:
                return _instead_verdict(own, instead)
            return _corrected(own, at, cue.name, cue.confidence)
    first = own.sentences[0]
    opening = own.sentences[: 1 + (len(first.text.split()) <= _OPENING)] if _is_brief(own) else ()
    for at, sentence in enumerate(opening):
        if not sentence.asks and omissions.lasting_order(sentence.text):
            return _corrected(own, at, "left out", 0.75)
    is_bare = len(own.sentences) > 1 and cues.BARE_OPENER.match(first.text)
    if (is_bare or cues.OPENER.search(first.text)) and (
        not context.asked  # a no may answer the agent, unless more is said
        or instead
        or instructions.swaps(first.text)
        or instructions.stands(first.text)
    ):
        return _corrected(own, 0, "opens with a contradiction", 0.8)
    if instead and not (context.asked and instructions.pairs(first.text)):
        return _instead_verdict(own, instead)
    return None


def _first_cue(table: tuple[cues.Cue, ...], sentence: words.OwnSentence) -> cues.Cue | None:
    """The first cue of a table that a sentence matches."""
    low = sentence.text.lower()
    return next((cue for cue in table if cue.search(low)), None)


def _instead_verdict(own: words.OwnWords, instead: words.OwnSentence) -> PromptVerdict:
    name = "this instead of that"
    return _verdict("correction", 0.75, name, f"correction:{name}", own, instead, names=True)


_INSTEAD = ("not", "n't", "instead", "rather", "never", "stop", "avoid", "no need", "quit", " over ")


def _orders_instead(own: words.OwnWords) -> words.OwnSentence | None:
    """The order of a brief remark that only says what to do instead."""
    for sentence in own.sentences[:2]:
        low = sentence.text.lower()
        is_order = not sentence.asks or _POLITE.match(sentence.text)
        if is_order and any(hint in low for hint in _INSTEAD) and _is_brief(own):
            order = _with_other_half(own, sentence)
            if order is not sentence or instructions.contrasts(sentence.text):
                return order
        if len(sentence.text.split()) > _OPENING:
            return None
    return None


_ACKNOWLEDGED = 3
"""Words of a sentence that only says that the message has arrived: `ok, merged.`"""
_POLITE = re.compile(r"(?:can|could|would|will) you (?:please )?use\b", re.I)
_OPENING = 6
"""Words that may come before an order: `I don't like that.`"""


def _is_brief(own: words.OwnWords) -> bool:
    return len(own.sentences) <= 3 and own.chars <= 300


def _with_other_half(own: words.OwnWords, sentence: words.OwnSentence) -> words.OwnSentence:
    """A sentence that rules something out, joined to the next one if that says what to do."""
    at = own.sentences.index(sentence) + 1
    if at < len(own.sentences) and not own.sentences[at].asks:
        other = own.sentences[at].text
        if instructions.completes(sentence.text, other):
            return words.OwnSentence(f"{sentence.text}, {other}", asks=False)
    return sentence


_QUESTION = re.compile(
    r"(?:do|does|is|are|can|could|any|how|which|should|for|if|what(?! are you| is (?:this|that) )"
    r"|don't (?:we|you|they|those|these|i))\b(?! (?:we|you) (?:\w+ )?(?:not|stop|avoid)\b)",
    re.I,
)
"""A sentence that only asks about a fault: `any idea why this doesn't work?`."""


def _corrected(own: words.OwnWords, at: int, name: str, confidence: float) -> PromptVerdict:
    named = None if name in cues_faults.REPORTS else _instruction(own, at)
    if name == "why did you" and at + 1 < len(own.sentences):  # `why are you using npm? use pnpm`
        following = own.sentences[at + 1]
        named = following if not following.asks and instructions.uses(following.text) else None
    is_named = named is not None or name in cues_faults.WORDLESS or _says_otherwise(own, at, name)
    decisive = named or own.sentences[at]
    return _verdict("correction", confidence, name, f"correction:{name}", own, decisive, names=is_named)


def _says_otherwise(own: words.OwnWords, at: int, name: str) -> bool:
    """Whether a correction says what to do, even if no statement can be made of its words."""
    text = own.sentences[at].text
    if name == "das ist falsch":
        return cues_faults.FOREIGN_INSTEAD.search(text) is not None
    if name == "opens with a contradiction":
        forms = (cues_faults.NAMES, cues_faults.ORDERS)
        return instructions.contrasts(text) or any(form.search(text) for form in forms)
    if name == "this, not that":
        return _is_brief(own) and cues_faults.NAMES.search(text) is not None
    if name in ("blame", "left out") and omissions.lasting_order(text):
        return True
    is_said = name in ("misunderstood", "I said")
    return is_said and any(cues_faults.INSTEAD.search(sentence.text) for sentence in own.sentences)


def _instruction(own: words.OwnWords, at: int) -> words.OwnSentence | None:
    """The first of three sentences, from the decisive one on, that says what to do instead."""
    for sentence in own.sentences[at : at + 3]:
        if not sentence.asks and instructions.instructs(sentence.text):
            return _with_other_half(own, sentence)
    return None


def _wish(own: words.OwnWords, context: Context) -> PromptVerdict | None:
    if len(own.sentences) > 2:
        return None
    return _by_first_sentence("explicit_preference", cues.WISH, own, context)


def _praise(own: words.OwnWords, context: Context) -> PromptVerdict | None:
    if len(own.sentences) > 2 or own.chars > 120 or any(sentence.asks for sentence in own.sentences):
        return None
    first = own.sentences[0]
    if any(cues.GOES_ON.match(other.text) or instructions.orders(other.text) for other in own.sentences[1:]):
        return None
    approval = _by_first_sentence("praise", cues.PRAISE, own, context)
    is_bare = approval is None and context.position and len(own.sentences) == 1
    if is_bare and cues.THANKS.search(first.text):
        return _verdict("praise", 0.65, "thanks", "praise:thanks", own, first)
    return approval


def _by_first_sentence(
    category: FeedbackCategory, table: tuple[cues.Cue, ...], own: words.OwnWords, context: Context
) -> PromptVerdict | None:
    if context.position == 0:
        return None
    sentence = own.sentences[0]
    cue = _first_cue(table, sentence)
    if cue is None:
        return None
    return _verdict(category, cue.confidence, cue.name, f"{category}:{cue.name}", own, sentence)


_RULES = (
    _standing, _rejection, _correction, _wish,
    partial(_by_first_sentence, "clarification", cues.CLARIFICATION), _praise,
    partial(_by_first_sentence, "enhancement", cues.ENHANCEMENT),
)  # fmt: skip
"""In the order in which they are asked; the first verdict counts."""
