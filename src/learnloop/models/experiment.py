"""The experiment: lessons that some sessions are told and others are not, or are told in other words."""

from collections.abc import Iterator
from typing import Literal, Self

from pydantic import Field, model_validator

from learnloop.models.base import Document

ExperimentState = Literal["running", "paused", "stopped", "decided"]
ExperimentOutcome = Literal["own", "done", "corrected", "success"]
"""Of a moment: the lesson's own correction came again, a call did what it forbids, any correction came, or
it succeeded."""
Tried = Literal["lessons", "budgets", "priming"]
TOLD, HELD_OUT = "told", "held out"
"""The variants of a holdout."""
MOST_VARIANTS = 5


class RecallBudgets(Document):
    """How much recall tells the sessions of a variant; null where it is as the settings say."""

    start_tokens: int | None = Field(default=None, ge=0, le=4000)
    call_tokens: int | None = Field(default=None, ge=0, le=4000)
    """Most tokens, of four characters each, at a prompt or tool call."""
    per_call: int | None = Field(default=None, ge=1, le=20)
    """Most lines at a prompt or tool call."""


class Variant(Document):
    """One way in which the lessons of an experiment are told or all of recall tells, or that they are not."""

    name: str = Field(min_length=1, max_length=40)
    weight: int = Field(ge=1, le=99)
    """The share of sessions, in percent."""
    tells: bool = True
    wording: str = Field(default="", max_length=500)
    """Other words for the one lesson; empty for its own."""
    budgets: RecallBudgets | None = None
    """How much all of recall tells."""
    priming: bool = True
    """Whether earlier tasks are told where the person switched that on."""

    @property
    def changes(self) -> tuple[Tried, ...]:
        """What it changes of all recall."""
        budgets: tuple[Tried, ...] = ("budgets",) if self.budgets else ()
        return budgets if self.priming else (*budgets, "priming")

    @property
    def does(self) -> tuple[object, ...]:
        """What its sessions get."""
        return self.tells, self.wording, self.budgets, self.priming


class Experiment(Document):
    """An experiment as its decisions left it."""

    id: str
    name: str = Field(min_length=1, max_length=80)
    question: str = Field(default="", max_length=300)
    lesson_ids: tuple[str, ...] = ()
    """Empty where it tries how much is told, or priming."""
    variants: tuple[Variant, ...] = Field(min_length=2)
    """The last one is what the others are compared with."""
    outcome: ExperimentOutcome = "own"
    moments: int = Field(default=0, ge=0)
    """About so many were planned at its start; 0 where nobody planned."""
    state: ExperimentState = "running"
    started: str = ""
    ended: str = ""
    reason: str = ""
    """Why it does not run; empty where the person said none."""
    is_void: bool = False
    """What it compares has changed, so that it cannot go on."""
    winner: str = ""

    @model_validator(mode="after")
    def _is_possible(self) -> Self:
        whole = sum(variant.weight for variant in self.variants)
        for is_wrong, why in (
            (len(self.variants) > MOST_VARIANTS, f"{MOST_VARIANTS} variants are the most"),
            (whole != 100, f"the weights of the variants add up to {whole}, not to 100"),
            (
                len({variant.name for variant in self.variants}) < len(self.variants),
                "each variant has a name of its own",
            ),
            (
                len({variant.does for variant in self.variants}) < len(self.variants),
                "no two variants do the same",
            ),
            *self._confusions(),
        ):
            if is_wrong:
                raise ValueError(why)
        return self

    def _confusions(self) -> Iterator[tuple[bool, str]]:
        """Designs that would compare two things at once, or nothing."""
        is_worded = any(variant.wording for variant in self.variants)
        is_of_lesson = is_worded or bool(self.lesson_ids) or not all(each.tells for each in self.variants)
        changed = {what for each in self.variants for what in each.changes}
        yield len(self.lesson_ids) > 1 and is_worded, "other words are tried on one lesson alone"
        yield not self.lesson_ids and not changed, "name a lesson, or budgets or priming of a variant"
        yield len(changed) > 1, "budgets and priming are tried apart"
        yield (
            bool(changed) and is_of_lesson,
            "budgets and priming are tried on all of recall, not on a lesson",
        )
        yield bool(changed) and self.outcome == "own", "only a lesson has an own correction"

    @property
    def tries(self) -> Tried:
        """What differs between its variants."""
        if self.lesson_ids:
            return "lessons"
        return "priming" if all(variant.budgets is None for variant in self.variants) else "budgets"

    def rivals(self, other: "Experiment") -> bool:
        """Whether both try the same lesson, or the same of all recall: only one of them can run."""
        is_shared = self.tries != "lessons" or not {*self.lesson_ids}.isdisjoint(other.lesson_ids)
        return self.id != other.id and self.tries == other.tries and is_shared

    @property
    def is_open(self) -> bool:
        """Whether it runs or may go on."""
        return self.state in ("running", "paused") and not self.is_void

    @property
    def control(self) -> Variant:
        """The variant that the others are compared with."""
        return self.variants[-1]

    @property
    def is_holdout(self) -> bool:
        """Whether it tells its lessons to some sessions and holds them back from the others."""
        return [variant.does[:2] for variant in self.variants] == [(True, ""), (False, "")]


class Estimate(Document):
    """An estimate with the ends of its 95 % confidence sequence, which holds at every look."""

    estimate: float
    low: float
    high: float


class VariantCounts(Document):
    """The moments of a variant, and what became of them."""

    name: str
    sessions: int = 0
    moments: int = 0
    own: int = 0
    """The lesson's own correction came again."""
    done: int = 0
    """A call of the turn did what the lesson forbids; without a lesson, what any lesson in use does."""
    corrected: int = 0
    """It was corrected until the end of the next turn, whatever for."""
    success: int = 0
    unknown: int = 0
    """Nothing shows how the turn went."""
    reached: int = 0
    """The task succeeded, in this turn or in a later one that went on with it."""
    extra_turns: int = 0
    """The turns beyond the first that this took, two at most in each moment."""

    @property
    def turns_to_success(self) -> float | None:
        """How many turns success took on average; None where nothing succeeded."""
        return 1 + self.extra_turns / self.reached if self.reached else None

    def per_hundred(self, outcome: ExperimentOutcome) -> float:
        """How often an outcome came in a hundred moments."""
        count: int = getattr(self, outcome)
        return 100 * count / self.moments if self.moments else 0.0


class Comparison(Document):
    """A variant against the control, by the outcome of the experiment."""

    variant: str
    known: str
    """What is known, in one sentence."""
    sign: int = 0
    """-1 where it surely has fewer events, 1 where more, 0 while nothing is known."""
    difference: Estimate | None = None
    """Of events per moment."""
    ratio: Estimate | None = None


class VariantScore(Document):
    """One figure of how well a variant does, 0–1, and its parts; it decides nothing.

    Null where nothing is known.
    """

    variant: str
    score: float | None = None
    success: float | None = None
    """The share of the judged moments that succeeded."""
    duration: float | None = None
    """Against the median of all variants: 0.5 where both are alike, more where it is faster."""
    quality: float | None = None
    """Of what succeeded: whether a person said so, or it is inferred."""


class ExperimentReport(Document):
    """An experiment with what is known of it."""

    experiment: Experiment
    variants: tuple[VariantCounts, ...]
    comparisons: tuple[Comparison, ...]
    moments: int = 0
    needed_moments: int = 0
    """About so many, for a halved rate; by the rate of the control once that is known."""
    needed_weeks: int | None = None
    """Those at the pace so far; None where nothing comes."""
    price: str = ""
    """What holding back costs while it runs."""
    scores: tuple[VariantScore, ...] = ()
    """One figure by variant, which decides nothing; not in lists."""

    @property
    def known(self) -> str:
        """What is known, in one sentence."""
        return " | ".join(comparison.known for comparison in self.comparisons)

    @property
    def share(self) -> float:
        """How far it is, 0–1."""
        return min(self.moments / self.needed_moments, 1.0) if self.needed_moments else 0.0
