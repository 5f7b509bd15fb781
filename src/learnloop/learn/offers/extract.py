"""Extracts drafts from an agent's output, a rating, a test's result or a review. Pure.

Forms, keywords, stop words, titles and confidences are those of the extraction specification. Each draft has
a score (`learn.lessons.scorer`). Its statement is made by a rule, or written by a person later.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, NamedTuple

from learnloop.learn.hear import wording
from learnloop.learn.lessons import impact, meaning, scorer
from learnloop.learn.offers import knowledge
from learnloop.learn.offers.knowledge import Origin
from learnloop.models.lesson import Lesson
from learnloop.wire import text as wire_text

MOST = 5
"""The most lessons of one message: a text with more is a report."""
_SHORTEST, _LONGEST = 10, 300
_MOST_LINES, _LONGEST_LINE = 5_000, 1_000
_HEADING = re.compile(
    r"^\s{0,3}(?:#{2,6}\s+|\*\*)(?:\S{1,2}\s)?(?:lessons?(?: learned)?|key (?:takeaways?|insights?|lessons?)"
    r"|takeaways?|insights?)"
    r"(?:\*\*)?\s*:?\s*(?:\*\*)?\s*$",
    re.I,
)
_OTHER_HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)")
ITEM = re.compile(r"^\s{0,8}(?:[-*+]|\d{1,2}[.)])\s+(?P<words>\S.*)$")
_SAID = re.compile(
    r"(?:^\s{0,8}(?:[-*+]\s+)?|[.!?]\s{1,3})(?:\*\*)?"
    r"(?:lessons? learned|note (?:for|to) (?:the )?future(?: sessions?| reference| self)?"
    r"|(?P<stressed>important))"
    r"(?:\*\*)?\s{0,3}:\s{0,3}(?:\*\*)?\s{0,3}(?P<words>\S.*)$",
    re.I,
)
_LASTING = re.compile(
    r"\b(?:always|never|every time|whenever|must|has to|have to|needs? to|only ever)\b", re.I
)
"""Words of a rule: without one, what an agent calls important is about the work at hand."""
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_QUOTED = re.compile(r"^\s*>|^(?: {4}|\t)(?![-*+\d])")
_MARKUP = re.compile(r"\*\*|__")
_CUES = ("lesson", "takeaway", "insight", "future", "important")


class ExplicitLesson(NamedTuple):
    """One lesson in the words of the text."""

    words: str
    in_section: bool
    line: int
    """Counted from 1."""


def find_explicit(text: str) -> list[ExplicitLesson]:
    """The explicit lessons of a text, in order, at most `MOST`."""
    low = text.lower()
    return list(islice(_lessons(text), MOST)) if any(cue in low for cue in _CUES) else []


def drop_sections(text: str) -> str:
    """A text without its sections of lessons."""
    taken = {lesson.line for lesson in find_explicit(text) if lesson.in_section}
    if not taken:
        return text
    lines = enumerate(text.split("\n"), 1)
    return "\n".join(line for number, line in lines if number not in taken and not _HEADING.match(line))


def _lessons(text: str) -> Iterator[ExplicitLesson]:
    for number, line, in_section in prose(text):
        if match := _said(line) or (ITEM.match(line) if in_section else None):
            words = " ".join(_MARKUP.sub("", match["words"]).split())
            if _SHORTEST < len(words) <= _LONGEST:
                yield ExplicitLesson(words, in_section, number)


def prose(text: str) -> Iterator[tuple[int, str, bool]]:
    """The lines outside code, quotes and headings: number from 1, words, whether in a section of lessons."""
    fenced = section = False
    for number, line in enumerate(text.split("\n")[:_MOST_LINES], 1):
        line = line[:_LONGEST_LINE].rstrip("\r")
        if _FENCE.match(line):
            fenced = not fenced
        if fenced or _QUOTED.match(line):
            continue
        if _HEADING.match(line):
            section = True
        elif _OTHER_HEADING.match(line):
            section = False
        else:
            yield number, line, section


def _said(line: str) -> re.Match[str] | None:
    """A lesson that begins the line or follows a sentence in it."""
    match = _SAID.search(line) if ":" in line else None
    return match if match and (not match["stressed"] or _LASTING.search(match["words"])) else None


Source = Literal["message", "output", "feedback", "test", "review"]
_FORMS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("best_practice",
     (r"best practices?:?\s*(.+)", r"should always\s+(.+)", r"recommend(?:ed)?:?\s+(.+)",
      r"prefer(?:red)?:?\s+(.+)"),
     ("best practice", "recommended", "should", "prefer")),
    ("anti_pattern",
     (r"avoid:?\s+(.+)", r"don[’']t\s+(.+)", r"never\s+(.+)", r"anti-?patterns?:?\s*(.+)"),
     ("avoid", "don't", "never", "anti-pattern", "bad practice")),
    ("error_fix",
     (r"fix(?:ed)?:\s*(.+)", r"resolved?:\s*(.+)", r"solution:?\s+(.+)",
      r"the (?:issue|problem|error) was\s+(.+)"),
     ("fix", "resolved", "solution", "error", "issue")),
    ("performance",
     (r"performance:\s*(.+)", r"optimi[sz](?:ed|ation):?\s+(.+)", r"faster:?\s+(.+)",
      r"improve(?:d|ment)?:?\s+(.+)"),
     ("performance", "optimization", "faster", "efficient")),
    ("security",
     (r"security:\s*(.+)", r"vulnerab(?:le|ility):?\s+(.+)", r"secure:?\s+(.+)"),
     ("security", "vulnerability", "secure", "cve")),
    ("process",
     (r"lessons? learned:\s*(.+)", r"note for (?:the )?future:\s*(.+)", r"going forward,?\s+(.+)",
      r"from now on,?\s+(.+)"),
     ("lesson", "future")),
)  # fmt: skip
"""Category, forms and keywords. `fix`, `resolve` and `performance` are everyday words: they need a colon."""
_COMPILED = tuple(
    (category, tuple(re.compile(rf"\b{form}", re.I) for form in forms), words)
    for category, forms, words in _FORMS
)
_WORD = re.compile(r"\b[a-z]{4,}\b")
_STOP = frozenset((
    "this", "that", "with", "from", "have", "been", "were", "they", "their", "which", "would", "could",
    "should", "about", "there", "where", "when", "what", "will", "more", "some", "than", "then", "also",
    "into", "only", "other", "such", "very", "just", "make", "made", "like", "each", "even", "most", "both",
    "after", "before", "being", "these", "those", "through", "during", "without", "between", "under", "over",
))  # fmt: skip
_LEAST, _KEYWORDS = 10, 5


@dataclass(frozen=True)
class Extraction:
    """The drafts, and the confidence of all together, 0–1."""

    lessons: tuple[Lesson, ...]
    confidence: float


@dataclass(frozen=True)
class Comment:
    """One comment of a review."""

    type: Literal["suggestion", "issue", "praise"]
    text: str


@dataclass(frozen=True)
class _Advice:
    """One piece of advice that becomes a draft."""

    category: str
    words: str
    """The description."""
    clause: str
    """The whole clause, which the statement is made of."""
    title: str = ""
    keywords: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    example: str = ""
    counter_example: str = ""
    approves: bool = False
    """It approves of work that was done, so that it is no rule."""


def from_output(output: str, origin: Origin, agent: str = "") -> Extraction:
    """Drafts from an agent's advice, and from items under headings such as Lessons Learned."""
    agents = (agent,) if agent else ()
    drafts = [
        _draft("output", replace(advice, agents=agents), origin, number)
        for number, advice in enumerate(_advice(output))
    ]
    lessons = _deduplicated(drafts)
    average = sum(lesson.score.overall for lesson in lessons) / len(lessons) if lessons else -0.1
    confidence = round(min(average + 0.1, 1.0), 2)
    return Extraction(tuple(lesson.with_(confidence=confidence) for lesson in lessons), confidence)


def from_message(items: Iterable[ExplicitLesson], origin: Origin) -> tuple[Lesson, ...]:
    """Drafts from explicit lessons of a message, with priority and kind by the process-knowledge tables."""
    drafts = []
    for number, item in enumerate(items):
        advice = _Advice(infer_category(item.words), item.words, item.words)
        draft = _draft("message", advice, origin, number)
        weight = impact.weight("explicit", item.words, is_persons=origin.trust == "user")
        shape = impact.classify(item.words, draft.statement)
        priority = {"priority": weight.priority, "proposed_priority": weight.proposed}
        drafts.append(scorer.with_score(draft.with_(kind=shape.kind, content=shape.content, **priority)))
    return _deduplicated(drafts)


def from_feedback(feedback: str, rating: int, origin: Origin) -> Extraction:
    """A draft from a rating from 1 to 5: 4 and 5 approve, 1 and 2 disapprove, 3 gives no draft.

    Raises ValueError for another rating.
    """
    if not 1 <= rating <= 5:
        raise ValueError("a rating goes from 1 to 5")
    if rating == 3 or not feedback.strip():
        return Extraction((), 0.5)
    approved = rating >= 4
    words = feedback if approved else f"Avoid: {feedback}"
    title = "User-approved approach" if approved else "User-rejected approach"
    category = "best_practice" if approved else "anti_pattern"
    advice = _Advice(category, words, feedback, title=title)
    draft = _draft("feedback", advice, origin)
    return Extraction((draft,), 0.8)


def from_test(name: str, *, passed: bool, error: str, fix: str, origin: Origin) -> Extraction:
    """A draft from a failed test with a known error and fix."""
    if passed or not error.strip() or not fix.strip():
        return Extraction((), 0.9 if fix.strip() else 0.5)
    advice = _Advice(
        "error_fix", f"Error: {error}\nFix: {fix}", fix, title=f"Fix for: {name}", keywords=("error", "fix"),
        example=fix, counter_example=error,
    )  # fmt: skip
    return Extraction((_draft("test", advice, origin),), 0.9)


def from_review(comments: Iterable[Comment], origin: Origin) -> Extraction:
    """A draft from each comment: praise is a practice, an issue is to be avoided, a suggestion is on code."""
    drafts = [
        _draft("review", _of_comment(comment), origin, number)
        for number, comment in enumerate(comments)
        if comment.text.strip()
    ]
    return Extraction(_deduplicated(drafts), 0.85)


def _of_comment(comment: Comment) -> _Advice:
    categories = {"praise": "best_practice", "issue": "anti_pattern", "suggestion": "code_quality"}
    is_praise = comment.type == "praise"
    return _Advice(categories[comment.type], comment.text, comment.text, approves=is_praise)


def _advice(output: str) -> Iterator[_Advice]:
    """The advice in an output, outside code and quotes."""
    for _, line, in_section in prose(output):
        item = ITEM.match(line) if in_section else None
        if item and len(words := item["words"].strip()) > _LEAST:
            yield _Advice(infer_category(words), words, words)
            continue
        for category, forms, cues in _COMPILED:
            for form in forms:
                for match in form.finditer(line):
                    if len(match[1].strip()) > _LEAST:
                        yield _Advice(category, match[1].strip(), match[0].strip(), keywords=cues)


def infer_category(text: str) -> str:
    """The category of an item that has no form, by its words."""
    low = text.lower()
    return next((name for name, cues in _INFERRED if any(cue in low for cue in cues)), "best_practice")


_INFERRED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("anti_pattern", ("avoid", "don't", "don’t", "never")), ("error_fix", ("error", "fix", "bug")),
    ("performance", ("performance", "fast", "slow")), ("security", ("security", "vulnerab")),
    ("testing", ("test", "coverage")),
)  # fmt: skip


def title_of(text: str) -> str:
    """The first sentence, 100 characters at most."""
    first = re.split(r"[.!?](?=\s|$)", text.strip(), maxsplit=1)[0].strip()
    return first if len(first) <= 100 else f"{first[:97]}..."


def keywords_of(text: str, base: Iterable[str] = ()) -> tuple[str, ...]:
    """The given keywords and the five most frequent words of four letters or more that are no stop words."""
    counts = Counter(word for word in _WORD.findall(text.lower()) if word not in _STOP)
    return tuple(dict.fromkeys((*base, *(word for word, _ in counts.most_common(_KEYWORDS)))))


def _draft(source: Source, advice: _Advice, origin: Origin, number: int = 0) -> Lesson:
    """A draft with its score; it needs words where the clause does not stand alone."""
    worded = _statement(advice)
    plain = worded or " ".join(advice.clause.split())
    is_warning = advice.category in ("anti_pattern", "error_fix")
    clause = advice.clause if advice.category == "anti_pattern" else advice.words  # with its `never`
    fields: Mapping[str, object] = {
        "kind": "warning" if is_warning else "fact", "category": advice.category,
        "statement": wire_text.cut(plain, 300),
        "title": wire_text.cut(advice.title or title_of(clause) or plain, 100),
        "description": wire_text.cut(advice.words.strip(), 1000), "scope": "project",
        "priority": "HIGH" if advice.category == "security" else "MEDIUM",
        "confidence": _CONFIDENCE[source],
        "example": wire_text.cut(advice.example, 500) or None,
        "counter_example": wire_text.cut(advice.counter_example, 500) or None,
    }  # fmt: skip
    quote = wire_text.cut(advice.clause, 600)
    here = replace(origin, rule=f"draft:{source}", number=number, quote=quote)
    lesson = knowledge.build_lesson(fields, {}, here)
    lesson = lesson.with_(keywords=keywords_of(advice.words, advice.keywords))
    if advice.agents:
        lesson = lesson.with_(triggers={**lesson.triggers.as_json(), "agent_names": advice.agents})
    if not worded:
        print_ = meaning.fingerprint_of(plain, lesson.scope, lesson.project)
        lesson = lesson.with_(statement="", needs_words=True, fingerprint=print_)
    return scorer.with_score(lesson)


_DISAPPROVES = re.compile(
    r"\b(?:avoid|never|don't|not|no|stop|must|should|instead|rather|only)\b|n't\b", re.I
)


def _statement(advice: _Advice) -> str:
    """The clause in its words; empty for praise, and where what is to be avoided would read like an order."""
    statement = "" if advice.approves else wording.make(advice.clause)
    is_safe = advice.category != "anti_pattern" or _DISAPPROVES.search(statement)
    return statement if is_safe else ""


_CONFIDENCE: dict[Source, float] = {
    "output": 0.6, "message": 0.6, "feedback": 0.8, "test": 0.9, "review": 0.85,
}  # fmt: skip


def _deduplicated(lessons: Iterable[Lesson]) -> tuple[Lesson, ...]:
    """One draft for each category and title, the one with the best score."""
    best: dict[tuple[str, str], Lesson] = {}
    for lesson in lessons:
        key = lesson.category, lesson.title.lower()
        if key not in best or lesson.score.overall > best[key].score.overall:
            best[key] = lesson
    return tuple(best.values())
