"""What a person decides about experiments: start, hold out, pause, resume, stop, promote a winner.

Variants as a person types them: `told:80`, `held out:20:off`, `short:50:Use uv.`, `few:50:per_call=1`.
"""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from learnloop.errors import Refused
from learnloop.learn.experiments import replay
from learnloop.learn.lessons import acts
from learnloop.learn.tasks import memory_marks
from learnloop.models import Decision, Lesson, ids
from learnloop.models.experiment import HELD_OUT, TOLD, Experiment, RecallBudgets, Variant
from learnloop.service.experiments import reports
from learnloop.service.lessons import documents, overlaps
from learnloop.service.lessons.documents import find_all
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, text

LEAST_SHARE, MOST_SHARE, USUAL_SHARE, SHARE_OF_ALL = 5, 50, 20, 10
_NOTHING = "nothing was started"
_NAME = 50
"""The longest words of a lesson in the name of its experiment."""


def hold_out(ws: Workspace, lesson_id: str, share: int = USUAL_SHARE, *, is_sure: bool = False) -> Decision:
    """Hold a lesson back from a share of the sessions (5–50 %); raises Refused as `start`."""
    (lesson,) = find_all(ws, lesson_id)
    name = f"{text.cut(lesson.statement.rstrip('.'), _NAME)}: told or not"
    return start(ws, name, [lesson.id], told_or_not(share), is_sure=is_sure)


def told_or_not(share: int) -> list[Variant]:
    """The variants that hold a lesson back from a share of the sessions; raises Refused for 4 or 51 %."""
    _refuse_share(share)
    return [Variant(name=TOLD, weight=100 - share), Variant(name=HELD_OUT, weight=share, tells=False)]


def hold_out_all(ws: Workspace, share: int) -> Decision:
    """Tell a share of the sessions (5–50 %) no lesson, later ones too; stops stay. Refused as `start`."""
    _refuse_share(share)
    nothing = RecallBudgets(start_tokens=0, call_tokens=0)
    variants = [
        Variant(name=TOLD, weight=100 - share), Variant(name=HELD_OUT, weight=share, budgets=nothing),
    ]  # fmt: skip
    return start(ws, "all lessons: told or not", [], variants, outcome="corrected")


def start(
    ws: Workspace, name: str, lesson_ids: str | Sequence[str], variants: Sequence[Variant], *,
    outcome: str = "", question: str = "", is_sure: bool = False,
) -> Decision:  # fmt: skip
    """Start an experiment; raises Refused as `draw_up`."""
    design = draw_up(ws, name, lesson_ids, variants, outcome=outcome, question=question, is_sure=is_sure)
    return _step(ws, design, "start", _lessons(ws, design.lesson_ids), design=design.as_json())


def draw_up(
    ws: Workspace, name: str, lesson_ids: str | Sequence[str], variants: Sequence[Variant], *,
    outcome: str = "", question: str = "", is_sure: bool = False,
) -> Experiment:  # fmt: skip
    """An experiment as it would start; `is_sure` answers the second question about vital lessons.

    Without lessons it tries budgets or priming on all of recall. The outcome is by default the lesson's own
    correction, of all recall any correction. Raises Refused for a design that cannot be, for lessons that
    are not in use, are under test already, or stand in a file, for a name that another one goes by, and for
    a second experiment on all of recall.
    """
    lessons = _lessons(ws, lesson_ids)
    _refuse_lessons(ws, lessons, is_sure=is_sure)
    _refuse_name(ws, name)
    _refuse_variants(ws, variants)
    if outcome == "done" and not all(acts.forbidding(lesson.as_json()) for lesson in lessons):
        raise Refused("no call shows whether this lesson is kept", "take another outcome, or give it a check")
    fields = {
        "id": ids.draft_id(clock.new_id(clock.now_ms()), "experiment"), "name": name, "question": question,
        "lesson_ids": [lesson.id for lesson in lessons],
        "outcome": outcome or ("own" if lessons else "corrected"),
        "variants": [variant.as_json() for variant in _with_budgets(ws, variants)],
        "moments": reports.size_of(ws, share=variants[-1].weight).moments,
    }  # fmt: skip
    try:
        design = Experiment.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise Refused(first["msg"].removeprefix("Value error, "), _NOTHING) from None
    _refuse_second(ws, design)
    return design


def _refuse_share(share: int) -> None:
    if not LEAST_SHARE <= share <= MOST_SHARE:
        raise Refused(f"{share} % cannot be held out", f"take {LEAST_SHARE} to {MOST_SHARE}")


def _refuse_variants(ws: Workspace, variants: Sequence[Variant]) -> None:
    for variant in variants:
        if wrong := verdicts.hazard_in(ws, variant.wording):
            raise Refused(f"wording of {variant.name}: {wrong}", "say it in other words")
    if len(variants) < 2:
        raise Refused("an experiment compares two variants or more", "--variants NAME:WEIGHT NAME:WEIGHT")


def _lessons(ws: Workspace, lesson_ids: str | Sequence[str]) -> list[Lesson]:
    return find_all(ws, lesson_ids) if lesson_ids else []


def _refuse_name(ws: Workspace, name: str) -> None:
    """Raise Refused for the name of an experiment that is not over: verbs take names for ids."""
    for other in reports.experiments(ws).values():
        if other.name == name and other.is_open:
            raise Refused(f"{name} is the name of one that is {other.state}", "take another name")


def _with_budgets(ws: Workspace, variants: Sequence[Variant]) -> list[Variant]:
    """The variants with the budgets of today where they name none: a changed setting changes no variant."""
    if not any(variant.budgets for variant in variants):
        return list(variants)
    usual = {name: getattr(ws.settings.budgets, name) for name in RecallBudgets.model_fields}
    given = (each.budgets.model_dump(exclude_none=True) if each.budgets else {} for each in variants)
    return [each.with_(budgets=usual | own) for each, own in zip(variants, given, strict=True)]


def _refuse_second(ws: Workspace, tried: Experiment) -> None:
    """Raise Refused where all of recall is under the same test already, or nothing is primed anywhere."""
    if tried.tries == "lessons":
        return
    for other in replay.running(reports.experiments(ws).values()):
        if other.rivals(tried):
            raise Refused(f"{tried.tries} are under test in {other.name}", "stop that one first")
    is_primed = any(memory_marks.primed(documents.decisions(ws.root)).values())
    if tried.tries == "priming" and not is_primed:
        raise Refused("priming is off, so no session is told earlier tasks", "learn prime on switches it on")


def under_test(ws: Workspace) -> dict[str, Experiment]:
    """The running experiment of each lesson that is in one."""
    return {
        lesson_id: experiment
        for experiment in replay.running(reports.experiments(ws).values())
        for lesson_id in experiment.lesson_ids
    }


def refuse_hold_out(ws: Workspace, lesson: Lesson) -> None:
    """Raise Refused for a lesson that cannot be held out, whatever the person answers."""
    _refuse_lessons(ws, [lesson], is_sure=True)


def needs_second_question(lesson: Lesson) -> bool:
    """Whether a lesson is one that should hardly ever be held back."""
    return lesson.priority == "CRITICAL" or lesson.gate


def pause(ws: Workspace, typed: str, reason: str = "") -> Decision:
    """Tell the lessons of a running experiment to all sessions for now; raises Refused for another."""
    return _in_state(ws, typed, "pause", "running", reason=reason)


def resume(ws: Workspace, typed: str) -> Decision:
    """Let a paused experiment go on; raises Refused where what it compares has changed."""
    experiment = reports.find(ws, typed)
    if experiment.is_void:
        raise Refused(f"{experiment.reason}, so it would compare two things", "start a new experiment")
    _refuse_lessons(ws, _lessons(ws, experiment.lesson_ids), is_sure=True)
    _refuse_second(ws, experiment)
    return _in_state(ws, typed, "resume", "paused")


def stop(ws: Workspace, typed: str, reason: str = "") -> Decision:
    """End an experiment without a winner: its lessons are told to all sessions again."""
    return _in_state(ws, typed, "stop", "running", "paused", reason=reason)


def promote(ws: Workspace, typed: str, variant_name: str) -> Decision:
    """Let a variant hold for all sessions: the lesson stays, gets other words, or is archived.

    One decision, with one undo. Raises Refused for a variant that there is none of.
    """
    experiment = reports.find(ws, typed)
    variant = next((each for each in experiment.variants if each.name == variant_name), None)
    if variant is None:
        names = ", ".join(each.name for each in experiment.variants)
        problem = (
            f"{experiment.name} has no variant {variant_name!r}" if variant_name else "no variant is named"
        )
        raise Refused(problem, f"take one of {names}")
    if experiment.state == "decided":
        raise Refused(f"{experiment.name} is decided", "learn undo takes the decision back")
    lessons = _lessons(ws, experiment.lesson_ids)
    action, changes = "experiment", dict[str, Any]()
    if not variant.tells:
        action, changes = "archive", {"reason": "unused"}
    elif variant.wording:
        action, changes = "edit", {"statement": variant.wording}
    args = {
        **changes,
        replay.NAME: {"do": "promote", "id": experiment.id, "winner": variant.name, "name": experiment.name},
    }
    return verdicts.decide(ws, action, lessons, args)


def to_set(experiment: Experiment) -> str:
    """The commands that make the promoted budgets or priming hold for all; empty where the decision does."""
    variant = next((each for each in experiment.variants if each.name == experiment.winner), None)
    if variant is None or experiment.lesson_ids:
        return ""
    budgets = variant.budgets.model_dump(exclude_none=True) if variant.budgets else {}
    commands = [f"learn config budgets.{name} {value}" for name, value in budgets.items()]
    return "; ".join([*commands, *([] if variant.priming else ["learn prime off"])])


def _in_state(ws: Workspace, typed: str, do: str, *states: str, **more: Any) -> Decision:
    experiment = reports.find(ws, typed)
    if experiment.state not in states:
        raise Refused(
            f"{experiment.name} is {experiment.state}", f"only {' and '.join(states)} ones can {do}"
        )
    return _step(ws, experiment, do, [], **more)


def _step(ws: Workspace, experiment: Experiment, do: str, lessons: Sequence[Lesson], **more: Any) -> Decision:
    args = {replay.NAME: {"do": do, "id": experiment.id, "name": experiment.name, **more}}
    return verdicts.decide(ws, replay.ACTION, lessons, args)


def _refuse_lessons(ws: Workspace, lessons: Sequence[Lesson], *, is_sure: bool) -> None:
    tried = under_test(ws)
    for lesson in lessons:
        name = documents.short(ws.root, lesson.id)
        if lesson.status != "active" or lesson.paused:
            state = "paused" if lesson.paused else lesson.status
            raise Refused(f"{name} is {state}: sessions are not told it", _NOTHING)
        if lesson.id in tried:
            raise Refused(f"{name} is under test in {tried[lesson.id].name}", "stop that one first")
        if place := overlaps.is_read(ws, lesson):
            message = f"{name} stands in {place}, which every session reads, so it cannot be held back"
            raise Refused(message, "what changed since its approval stays visible: learn show ID")
        if needs_second_question(lesson) and not is_sure:
            kind = "a gate" if lesson.gate else "CRITICAL"
            raise Refused(
                f"{name} is {kind}: held out sessions run without it", "--sure starts it all the same"
            )


_BUDGETS = "|".join(RecallBudgets.model_fields)
_SETTINGS = re.compile(rf"(?:(?:{_BUDGETS})=\d{{1,5}}|priming=(?:on|off))(?:[,\s]+|$)")
_OFF = "off"


def variant(typed: str) -> Variant:
    """A variant of a name, a weight, and what differs; raises Refused for what is none."""
    name, _, rest = typed.partition(":")
    weight, _, what = rest.partition(":")
    try:
        return Variant.model_validate(
            {"name": name.strip(), "weight": int(weight or 0), **what_differs(what)}
        )
    except (ValidationError, ValueError):
        problem = f"{typed!r} is no variant, write NAME:WEIGHT with a weight from 1 to 99"
        raise Refused(problem, "then :off, :WORDS, :per_call=1 or :priming=off") from None


def what_differs(typed: str) -> dict[str, object]:
    """The fields of a variant: `off` tells nothing, `per_call=1` and `priming=off` set, all else is words."""
    typed = typed.strip()
    if typed.lower() == _OFF:
        return {"tells": False}
    if not typed or _SETTINGS.sub("", typed):
        return {"wording": typed}
    pairs = dict(pair.split("=") for pair in re.split(r"[,\s]+", typed) if pair)
    priming = pairs.pop("priming", "on")
    return {"budgets": pairs or None, "priming": priming != _OFF}


def named(variant_: Variant) -> str:
    """What a variant does, as it is typed; empty where it tells as ever."""
    if not variant_.tells:
        return _OFF
    budgets = variant_.budgets.model_dump(exclude_none=True) if variant_.budgets else {}
    parts = [f"{name}={value}" for name, value in budgets.items()]
    return variant_.wording or ", ".join([*parts, *([] if variant_.priming else ["priming=off"])])
