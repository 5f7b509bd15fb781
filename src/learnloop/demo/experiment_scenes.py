"""Two experiments of the demo: one that is known, and one that has just begun."""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

from learnloop.demo import scripted_verdicts, stage
from learnloop.learn.experiments import index_arms
from learnloop.models import ids
from learnloop.models.experiment import HELD_OUT, TOLD, Experiment, Variant
from learnloop.wire import session_recalls


class HoldoutScene(NamedTuple):
    """A lesson that is held out, and what its sessions do."""

    project: str
    statement: str
    name: str
    share: int
    days: tuple[int, int]
    """From the lesson's approval to the last session, in days before now."""
    sessions: int
    again: tuple[int, int]
    """So many of ten sessions are corrected again: told, held out."""
    task: str
    wanted: str
    unwanted: str
    correction: str

    @property
    def lesson_id(self) -> str:
        """The id of its lesson."""
        return ids.draft_id(self.statement, TOLD)

    @property
    def experiment(self) -> Experiment:
        """The experiment as a person designs it."""
        told = Variant(name=TOLD, weight=100 - self.share)
        held_out = Variant(name=HELD_OUT, weight=self.share, tells=False)
        return Experiment(
            id=ids.draft_id(self.name, "experiment"), name=self.name, lesson_ids=(self.lesson_id,),
            question="Does an agent keep to it without being told?", variants=(told, held_out),
        )  # fmt: skip


_THINGS = ("order form", "search box", "order list", "login page", "settings", "team page", "invoice view")
ALL = (
    HoldoutScene(
        "lanternfish", "Use pnpm, not npm.", "pnpm told or not", 50, (56, 33), 72, (1, 8),
        "Add the missing package to the {}", "pnpm add", "npm install", "No, use pnpm, never npm.",
    ),
    HoldoutScene(
        "homelab", "Use podman, not docker.", "podman told or not", 30, (12, 2), 13, (2, 6),
        "Restart the container behind the {}", "podman restart", "docker restart",
        "No, use podman, never docker.",
    ),
)  # fmt: skip


def decisions(trial: HoldoutScene, ms: int) -> Iterator[scripted_verdicts.Verdict]:
    """The lesson is stated, and held out."""
    yield scripted_verdicts.stated_rule(
        trial.statement, ms, lesson_id=trial.lesson_id, project=f"{stage.HOME}/{trial.project}"
    )
    design = trial.experiment
    step = {"do": "start", "id": design.id, "name": design.name, "design": design.as_json()}
    yield "experiment", trial.lesson_id, {"experiment": step}


def play(trial: HoldoutScene, now_ms: int) -> Iterator[stage.Record]:
    """The sessions of an experiment, by the variant that a hook would draw for each."""
    drawn = index_arms.by_lesson([trial.experiment])[trial.lesson_id]
    seen = {TOLD: 0, HELD_OUT: 0}
    first, last = trial.days
    for at in range(trial.sessions):
        hours = 24 * (first - 1) - 24 * (first - 1 - last) * at // trial.sessions
        days, hour = divmod(hours, 24)
        arm = session_recalls.arm(drawn, stage.session_id(trial.project, days, hour))[1]
        seen[arm] += 1
        often = trial.again[arm == HELD_OUT]
        is_again = seen[arm] * often % 10 < often
        text = _session(trial, days, hour, at, is_again=is_again)
        for session in stage.play(text, now_ms, partial(_receipt, trial, arm)):
            yield from session


def _receipt(trial: HoldoutScene, arm: str, payload: dict[str, Any], _: str, __: str) -> list[dict[str, Any]]:
    is_moment = str(payload.get("prompt", "")).startswith(trial.task.partition("{")[0])
    item = {"id": trial.lesson_id, "score": 80, "trial": trial.experiment.id, "arm": arm}
    return [item] if is_moment else []


def _session(trial: HoldoutScene, days: int, hours: int, at: int, *, is_again: bool) -> str:
    thing = _THINGS[at % len(_THINGS)]
    word = thing.replace(" ", "-")
    lines = [
        f"== {trial.project} {days} {hours}", f"> {trial.task.format(thing)}",
        f"$ {trial.unwanted if is_again else trial.wanted} {word}", f". The {thing} works.",
        *((f"> {trial.correction}", ". All right.") if is_again else ("> Perfect, thank you!", ". Fine.")),
        "# bye",
    ]  # fmt: skip
    return "\n".join(lines)
