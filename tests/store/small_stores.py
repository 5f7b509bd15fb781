"""Small stores for tests of the service, made through the same path as the real ones."""

from learnloop.demo import stage
from learnloop.models import Lesson
from learnloop.service.workspace import Workspace, ingest, open_workspace
from learnloop.store.store import Store
from learnloop.wire import journal
from tests.recorded_events import THINGS, remarks_of_one_form

NOW_MS = 1_763_600_000_000
WORK = "> Do the first thing\ne src/a.py\n$ make test\n. Done.\n"


def workspace(root: str, *remarks: str, by: str = "cli") -> Workspace:
    """A workspace in which each text was said after some work, in sessions of one project."""
    ws = open_workspace(root, by)
    for number, text in enumerate(remarks):
        say(ws, text, hours=len(remarks) - number)
    return ws


def say(ws: Workspace, text: str, hours: int = 0, project: str = "app") -> None:
    """One more session, in which something was said after some work."""
    for records in stage.play(f"== {project} 0 {hours}\n{WORK}> {text}\n. Noted.\n# bye", NOW_MS):
        assert journal.append(ws.root, records)
    ingest(ws, wait_s=10)


def drafts(root: str, form: str, count: int) -> Workspace:
    """A store with so many drafts of one form of words."""
    remarks_of_one_form(root, form, THINGS[:count])
    ws = open_workspace(root)
    ingest(ws, wait_s=10)
    return ws


def lesson(**fields: object) -> Lesson:
    """A lesson with some fields set."""
    return Lesson.model_validate({"id": "aaaaaaaa", "created": "", "updated": "", **fields})


def put(root: str, **fields: object) -> Lesson:
    """A lesson as it is, straight into the store."""
    document = lesson(**fields)
    with Store(root).transaction() as tx:
        tx.table("lessons").put(document.id, document.as_json())
    return document


def wordless(root: str) -> Lesson:
    """A draft that no rule could make a statement for."""
    seen = {"quote": "from now on, an example first", "session_id": "s", "event_id": "e", "ts": ""}
    return put(root, needs_words=True, title="An example first", evidence=[seen], project="/p")
