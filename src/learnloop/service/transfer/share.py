"""The repository as a door: lessons as files below `.learnloop/lessons`, reviewed by pull request.

A file holds fields of an approved lesson: no quote, no evidence, no time, no path of a machine. What arrives
becomes drafts, in projects whose shared lessons a person trusts as they are, and never more. A team's space
has the same texts, and what it offers enters in the same way.
"""

import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from learnloop.errors import Refused
from learnloop.ingest import instruction_files
from learnloop.models import Lesson, ids
from learnloop.service import workspace
from learnloop.service.lessons import documents
from learnloop.service.review import add_lessons, agent_guard, trust
from learnloop.service.transfer import exchange, team
from learnloop.service.workspace import Workspace
from learnloop.store import files
from learnloop.wire import clock, origin, text

_FIELDS = (
    "kind", "statement", "title", "content", "priority", "category", "triggers", "check", "stops",
    "reminds", "scope", "path", "keywords",
)  # fmt: skip
_OLDER = ("wanted", "unwanted", "due")
"""What earlier versions wrote in place of a check."""
_ABOUT = ("from", "needs", "repo")
_NEEDS = ("reminds", "stops")
"""What a reader has to understand, or to leave the lesson alone."""
_HOMES = ("/home/", "/Users/", "/root/")
_NAME, _LONGEST_LINE = 40, 500


class SharedFile(NamedTuple):
    """What would be written of a lesson, to the byte."""

    project: str
    path: Path
    text: str


class Taken(NamedTuple):
    """What the files of trusted projects became."""

    drafts: int = 0
    changed: int = 0
    """Other versions of lessons that are here."""
    skipped: tuple[str, ...] = ()
    """File and reason of each lesson that was left out."""

    def __str__(self) -> str:
        every = f"From the team: {self.drafts} new draft{'s' * (self.drafts != 1)}, {self.changed} changed"
        shown = [f"{every}: learn triage --filter origin:team", *(f"left out: {why}" for why in self.skipped)]
        return "\n".join(shown)


def shared_file(ws: Workspace, lesson_id: str, project: str = "") -> SharedFile:
    """The file of an approved lesson in a checkout of its repository, by default that which it came from.

    Raises Refused for any other lesson, and where no checkout is known.
    """
    lesson = _approved(ws, lesson_id)
    project = project or documents.came_from(ws, lesson)
    if lesson.scope != "global" and not origin.is_same(lesson.project, project, lesson.repo):
        raise Refused(f"it does not belong to {project}", "name a checkout of its own: --repo FOLDER")
    if not Path(project).is_absolute() or not Path(project).is_dir():
        raise Refused("no checkout of its repository is known here", "learn share ID --repo FOLDER names one")
    everywhere = {"scope": ""} if lesson.scope == "global" else {}
    about = {"from": origin.author(project, str(Path.home())), "repo": origin.name(project), **everywhere}
    written = _written(ws, lesson, project, about)
    folder = Path(project, instruction_files.SHARED)
    if folder.is_symlink() or folder.parent.is_symlink():
        raise Refused(f"{folder} is a link", "make it a folder of the repository")
    return SharedFile(project, folder / f"{lesson.id}.json", written)


def team_text(ws: Workspace, lesson_id: str) -> str:
    """The text of an approved lesson as a team's space gets it; raises Refused as `shared_file` does."""
    lesson = _approved(ws, lesson_id)
    place = "" if lesson.scope == "global" else origin.key(lesson.project, lesson.repo)
    if lesson.scope != "global" and not origin.is_name(place):
        raise Refused("its project has no name that travels", "give its repository a remote called origin")
    return _written(ws, lesson, lesson.project, {"repo": place})


def _approved(ws: Workspace, lesson_id: str) -> Lesson:
    agent_guard.refuse("share lessons")
    agent_guard.refuse_in_call(ws, "shared")
    lesson = documents.find(ws, lesson_id)
    if lesson.status != "active" or lesson.claims:
        raise Refused("only an approved lesson is shared", "learn promote ID approves it")
    return lesson


def _written(ws: Workspace, lesson: Lesson, project: str, about: dict[str, str]) -> str:
    """A lesson as a file of whitelisted fields; raises Refused where it names a path, or is too long."""
    body = lesson.model_dump(mode="json", include=set(_FIELDS), exclude_defaults=True) | about
    body["needs"] = [name for name in _NEEDS if name in body]
    whole = {name: value for name, value in workspace.redacted(ws, body).items() if value}
    written = json.dumps(whole, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    folders = (str(Path.home()), project if project[:1] == "/" else "", *_HOMES)
    if places := [place for place in folders if len(place) > 1 and place in written]:
        raise Refused(f"it names a path of a machine: {places[0]}", "learn edit ID words it without")
    if len(written.encode("utf-8", "replace")) > instruction_files.LONGEST:
        raise Refused(f"it is longer than {instruction_files.LONGEST:,} bytes", "shorten it")
    return written


def write(ws: Workspace, shared: SharedFile) -> None:
    """Write a shared file; where a person trusted what was there, it is trusted with it."""
    decisions = documents.decisions(ws.root)
    is_trusted = shared.project in instruction_files.sharing(decisions) & instruction_files.trusted(decisions)
    files.replace(shared.path, [shared.text.encode()])
    if is_trusted:
        with contextlib.suppress(Refused):  # the same bytes were there
            trust.trust(ws, shared.project)


def take_in(ws: Workspace) -> Taken:
    """Make drafts of what trusted projects and the team share; nothing below an agent. Twice is as once."""
    skipped: list[str] = []
    if agent_guard.is_inside():
        return Taken()
    projects = instruction_files.sharing(documents.decisions(ws.root))
    lessons = [lesson for project in sorted(projects) for lesson in _read(ws, project, skipped)]
    offers = list(team.offers(ws.root))
    lessons += _offered(ws, offers, skipped)
    if not lessons:
        return Taken(skipped=tuple(skipped))
    arrivals = add_lessons.arrivals(ws, lessons)
    add_lessons.add(ws, [*arrivals.new, *arrivals.changed])
    if offers:
        team.taken(ws.root, offers)
    return Taken(len(arrivals.new), len(arrivals.changed), tuple(skipped))


def _offered(ws: Workspace, offers: Sequence[team.Offer], skipped: list[str]) -> Iterator[Lesson]:
    """Drafts of the team's lessons, in the local checkouts of their repositories."""
    folders = exchange.checkouts(ws) if offers else {}
    for offer in offers:
        with _skipping(ws, f"{offer.lesson_id} of {offer.author}", skipped):
            body = json.loads(offer.body)
            place = str(body.get("repo", ""))
            if bool(place) == (body.get("scope") == "global") or (place and not origin.is_name(place)):
                raise ValueError("it names no repository")
            lesson = _draft(ws, folders.get(place, place), offer.lesson_id, {**body, "from": offer.author})
            yield lesson.with_(repo=place, context=f"{lesson.context} {offer.counted}")


def _read(ws: Workspace, project: str, skipped: list[str]) -> Iterator[Lesson]:
    for name, data in instruction_files.shared_lessons(project):
        with _skipping(ws, f"{project}/{instruction_files.SHARED}/{name}", skipped):
            if len(data) > instruction_files.LONGEST:
                raise ValueError("it is too long")
            yield _draft(ws, project, name.removesuffix(".json"), json.loads(data))


@contextlib.contextmanager
def _skipping(ws: Workspace, place: str, skipped: list[str]) -> Iterator[None]:
    """What others wrote is left out by name where it is no lesson."""
    try:
        yield
    except (ValueError, RecursionError, TypeError, AttributeError) as error:
        wrong = error.errors(include_url=False)[0]["msg"] if isinstance(error, ValidationError) else error
        skipped.append(workspace.one_line(ws, f"{place}: {wrong}")[:_LONGEST_LINE])


def _draft(ws: Workspace, project: str, lesson_id: str, body: dict[str, object]) -> Lesson:
    """The draft of a shared file; raises ValueError where it is none."""
    if not ids.is_id(lesson_id):
        raise ValueError("its name is no lesson's id")
    if unknown := sorted(set(body) - {*_FIELDS, *_OLDER, *_ABOUT}):
        raise ValueError(f"it has fields that are never shared: {', '.join(unknown)}")
    needs = body.get("needs", [])
    if not isinstance(needs, list) or not set(map(str, needs)) <= set(_NEEDS):
        raise ValueError("it needs a newer Learnloop")
    if not isinstance(body.get("statement"), str) or (project and body.get("scope") == "global"):
        raise ValueError("it has no statement, or claims to hold everywhere")
    if wrong := exchange.oversized(body):
        raise ValueError(wrong)
    author = text.cut(workspace.one_line(ws, str(body.get("from", ""))), _NAME)
    source, now = f"team: {author}" if author else "team", clock.iso(clock.now_ms())
    given = {name: body[name] for name in (*_FIELDS, *_OLDER) if name in body} | {
        "id": lesson_id,
        "project": project,
    }
    given |= {"created": now, "updated": now, "context": f"From the {source}."}
    lesson = Lesson.model_validate({"scope": "project", **given})
    return exchange.as_draft(ws, lesson, source)
