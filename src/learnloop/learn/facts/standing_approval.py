"""The standing approval: which facts `auto` takes in, and what bounds it, what rests on it. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from learnloop.learn.facts import reading_consent
from learnloop.learn.facts.reading_consent import Consent
from learnloop.learn.lessons import claims, decisions, trigger_commands
from learnloop.learn.offers import injection_flags
from learnloop.models import Decision
from learnloop.models.fact import Fact, FactRun
from learnloop.models.lesson import Lesson

NO_STANDING = "no person let facts of that project be taken in"
NO_FACT = "it is no fact of that project in the person's words"
_ACTIONS = ("promote", "patch")
_SURE = 75
"""How sure a model must be, of 100: the question gives as much to a plain correction."""


def why_held(
    lesson: Lesson, held_facts: Iterable[Fact], runs: Sequence[FactRun], consent: Consent,
    prompts: Mapping[str, str],
) -> str:  # fmt: skip
    """Why a draft that a model read is left to the person; empty where it may be taken in.

    `prompts` are those of its evidence, by id.
    """
    words = "\n".join([lesson.statement, *(seen.quote for seen in lesson.evidence)])
    warning = injection_flags.injection_warning(words)
    every = [fact for fact in held_facts if fact.status == "draft"]
    given_up = {run.id for run in runs if run.stage == "merge" and run.error}
    quotes = [(seen.quote.rstrip("…"), prompts.get(seen.event_id, "")) for seen in lesson.evidence]
    reasons = (
        (f"it {warning}", bool(warning)),
        ("its words are not yours", lesson.trust != "user"),
        ("an agent may have decided about it", bool(lesson.claims)),
        ("its words stand in no prompt of yours", any(quote not in prompt for quote, prompt in quotes)),
        ("its words may be pasted", any(may_be_pasted(prompt) for _, prompt in quotes)),
        ("it needs words", lesson.needs_words or not lesson.statement),
        ("it is CRITICAL", "CRITICAL" in (lesson.priority, lesson.proposed_priority)),
        ("it stops calls", lesson.gate or lesson.stops),
        ("it was found before you switched auto on", any(f.created < consent.auto_since for f in every)),
        ("the model is not sure enough of it", not any((fact.sure or 0) >= _SURE for fact in every)),
        ("the second stage gave no answer", any(given_up.intersection(fact.run_ids) for fact in every)),
    )
    return next((reason for reason, holds in reasons if holds), "")


def fault(decision: Decision, every: Iterable[Decision]) -> str:
    """Why an approval in the name of the standing one is claimed; empty for one that rests on a person's.

    It rests on the decision `facts` of its project that is in effect at its time and that nobody claims.
    """
    if decision.by != claims.STANDING:
        return ""
    before = [other for other in every if other.ts <= decision.ts]
    consent = reading_consent.by_project(before, reading_consent.AUTO).get(
        str(decision.args.get("project", ""))
    )
    is_given = consent is not None and consent.mode == reading_consent.AUTO
    return "" if is_given and decision.action in _ACTIONS else NO_STANDING


def approvals(every: Iterable[Decision]) -> list[Decision]:
    """What was approved by the standing approval and is in effect, oldest first.

    A `patch` among them wrote a part that could not be put back.
    """
    return [each for each in decisions.effective_decisions(every) if each.by == claims.STANDING]


def rejected(every: Iterable[Decision]) -> list[Decision]:
    """The approvals of lessons that a person rejected, at the same instant or later."""
    effective = decisions.effective_decisions(every)
    last = {name: each.action for each in effective if each.by != claims.STANDING for name in each.lesson_ids}
    return [
        each
        for each in effective
        if each.by == claims.STANDING and any(last.get(name) == "reject" for name in each.lesson_ids)
    ]


_LONGEST = 400
"""Characters of a prompt that is surely typed."""
_PASTED = re.compile(
    r"""[\r\n\t]|\s{4}|:(?:\s|$)|^\s*[-*>#|"'`\[<]|["“”«»]|\*\*|```|</?\w
    |(?<!\bi\s)\b(?:sa(?:ys|id)|reads|wr(?:ites|ote)|states|according\sto|quot(?:ed|ing)|commented|review\scomments?|suggest(?:s|ed)
    |recommend(?:s|ed)|tells|told|asked|repl(?:ies|ied)|hints?|warns?|mention(?:s|ed)|posted|paste[ds]?|copied)\b""",
    re.I | re.X,
)
_ELSEWHERE = re.compile(
    r"""://|@|\\|%\d\w|\$\{?[A-Z]|(?<![\w.*])(?:~|\.\.)(?:/|$|\s)|\blocalhost\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\w:\d{2,5}\b
    |\b(?:registr(?:y|ies)|mirrors?|prox(?:y|ies)|index[-\s_]urls?|package\sindex|webhooks?|cdn|url|host(?:name)?s?)\b""",
    re.I | re.X,
)
_ROOTED = re.compile(r"(?<![\w./*])/[\w.][^\s,;:)'\"`]*")
_DOTTED = re.compile(r"(?<![\w./*-])[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b(?:/[\w./-]*)?", re.I)
_RUN = re.compile(
    r"\b(?:run|execute)\s+`?((?!(?:the|all|a|an|it|them|any|your|our|this|that)\b)[\w./-]+)", re.I
)
_CODE = re.compile(r"`([^`]+\s[^`]*)`")


def may_be_pasted(prompt: str) -> bool:
    """Whether a prompt is more than one typed line: with others' words, a block, a list, a lead-in."""
    return len(prompt) > _LONGEST or _PASTED.search(prompt.strip()) is not None


def leads_out(words: str, project: str, ran: Sequence[str], is_file: Callable[[str], bool]) -> bool:
    """Whether words name a host, a registry, a path outside the project, or a command never run in it.

    `ran` are the commands that were; `is_file` says whether the project has a file of that name.
    """
    inside = all(f"{path}/".startswith(f"{project}/") for path in _ROOTED.findall(words))
    is_known = all(is_file(name) for name in _DOTTED.findall(words))
    named = {*trigger_commands.programs(words, ran), *_RUN.findall(words), *_CODE.findall(words)}
    has_run = all(any(_has(command, name.removeprefix("* ")) for command in ran) for name in named)
    return _ELSEWHERE.search(words) is not None or not (inside and is_known and has_run)


def _has(command: str, name: str) -> bool:
    return f" {name} " in f" {command} "
