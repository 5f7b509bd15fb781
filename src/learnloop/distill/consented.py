"""In which projects a model reads along now: consent, and no switch against it."""

from learnloop.distill.work import ReadingReach
from learnloop.learn.facts import reading_consent
from learnloop.settings import Settings
from learnloop.store.store import Store
from learnloop.wire import switches


def by_project(root: str, settings: Settings) -> dict[str, reading_consent.Consent]:
    """The projects with a mode besides off that are recorded and recalled in."""
    given = reading_consent.by_project(Store(root).decisions(), settings.facts.mode)
    return {project: each for project, each in given.items() if not is_switched_off(root, project)}


def reach(root: str, settings: Settings) -> ReadingReach | None:
    """The prompts that may be sent; None where that is none."""
    since = {project: each.since for project, each in by_project(root, settings).items()}
    return ReadingReach(since) if since and settings.enabled and settings.record else None


def is_switched_off(root: str, project: str) -> bool:
    """Whether nothing of a project may be recorded, or it is record-only."""
    has_own = switches.is_set(f"{root}/{switches.own(project, switches.PROJECT_RECORD_ONLY)}")
    return has_own or bool(switches.of_project(project)) or not switches.recording(root, project)
