"""How the reading stands: where it is on, what today cost against the limits, and what rests and why."""

from pydantic import Field

from learnloop.distill import budget
from learnloop.errors import Unreadable
from learnloop.learn.facts import reading_consent
from learnloop.learn.lessons.origins import local_day
from learnloop.models.base import Document
from learnloop.service.facts import listing, modes
from learnloop.service.lessons import documents
from learnloop.service.review import trust
from learnloop.service.workspace import Workspace
from learnloop.wire import clock


class ReadingStatus(Document):
    """The state of the model that reads along."""

    projects: dict[str, str] = Field(default_factory=dict)
    """The mode in force, by project in which it was switched on."""
    calls: int = 0
    """Of today, as the others."""
    seconds: float = 0.0
    cost_usd: float = 0.0
    unpriced: int = 0
    """Calls that told no cost."""
    limits: dict[str, float] = Field(default_factory=dict)
    """Of a day, by the names of the settings; 0 for none."""
    rests: str = ""
    """Why nothing is asked now; empty where something may be."""
    untrusted: tuple[str, ...] = ()
    """The projects in which nothing is taken in, because their files changed since they were trusted."""
    last_error: str = ""
    """Of the newest call, if it failed."""
    turns: str = ""
    """How the judging of turns stands, in words; empty where it is off."""

    @property
    def is_used(self) -> bool:
        """Whether it was ever switched on or asked anything."""
        return bool(self.projects or self.calls or self.rests or self.last_error or self.turns)

    @property
    def words(self) -> str:
        """All of it in one line: `draft in 2 projects · today 4 of 60 calls, 5 of 600 s, $0.01 of $0.50`."""
        if not self.is_used:
            return "off"
        limits = self.limits
        cost = f"${self.cost_usd:.2f}{_of(limits.get('cost_per_day', 0), '$')}"
        cost += f" and {self.unpriced} of unknown cost" if self.unpriced else ""
        today = (
            f"today {self.calls}{_of(limits.get('calls_per_day', 0))} calls,"
            f" {self.seconds:.0f}{_of(limits.get('seconds_per_day', 0))} s, {cost}"
        )
        last = (
            f"last error: {self.last_error}" if self.last_error and self.last_error not in self.rests else ""
        )
        held = (
            f"{', '.join(self.untrusted)}: its files changed, learn config --trust" if self.untrusted else ""
        )
        return " · ".join(filter(None, (self._where(), held, today, self.rests, self.turns, last)))

    def _where(self) -> str:
        counted = {mode: list(self.projects.values()).count(mode) for mode in self.projects.values()}
        names = (f"{mode} in {count} project{'s' * (count != 1)}" for mode, count in sorted(counted.items()))
        return ", ".join(names) or "off"


def _of(most: float, sign: str = "") -> str:
    return f" of {sign}{most:.2f}" if most and sign else f" of {most:.0f}" if most else ""


def reading_status(ws: Workspace, now_ms: int | None = None) -> ReadingStatus:
    """How the reading stands, as of now; off where the settings cannot be read."""
    try:
        limits = ws.settings.facts
    except Unreadable:
        return ReadingStatus()
    now, runs = clock.now_ms() if now_ms is None else now_ms, listing.runs(ws)
    day, resumed = local_day(clock.iso(now)), budget.resumed_at(ws.root)
    today = budget.spent(budget.of_kind(runs, turns=False), day)
    judging = _judging(ws, budget.spent(budget.of_kind(runs, turns=True), day))
    if judging and (reason := budget.why_not(runs, limits, now, resumed, turns=True)):
        judging = f"{judging}: {reason}"
    asked = [run for run in runs if run.client != budget.BY_HAND]
    rests = budget.why_paused(ws.root) or budget.why_not(runs, limits, now, resumed)
    projects = {mode.project: mode.in_force for mode in modes.modes(ws)}
    taking_in = (project for project, mode in projects.items() if mode == reading_consent.AUTO)
    return ReadingStatus(
        projects=projects,
        untrusted=tuple(project for project in taking_in if not trust.is_trusted(ws.root, project)),
        calls=today.calls, seconds=today.seconds, cost_usd=today.cost, unpriced=today.unpriced,
        limits={name: value for name, value in limits.model_dump().items() if name.endswith("_per_day")},
        rests=rests, last_error=asked[0].error if asked else "", turns=judging,
    )  # fmt: skip


def _judging(ws: Workspace, today: budget.Spent) -> str:
    """`judges turns in 1 project, today 4 of 100 for $0.01 of $0.50`; empty where it is off."""
    limits = ws.settings.facts
    places = [place for place, ts in reading_consent.asked(documents.decisions(ws.root)).items() if ts]
    if not places or limits.mode == "off":
        return ""
    where = (
        "all projects"
        if reading_consent.EVERYWHERE in places
        else f"{len(places)} project{'s' * (len(places) > 1)}"
    )
    spent = f"${today.cost:.2f}{_of(limits.turns_cost_per_day, '$')}"
    return f"judges turns in {where}, today {today.calls}{_of(limits.turns_per_day)} for {spent}"
