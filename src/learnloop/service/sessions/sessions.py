"""Sessions, turns, projects, feedback, and the history of decisions in plain sentences."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from learnloop.models import Decision, Feedback, Session, Turn
from learnloop.service.lessons import documents, rows

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace


class Project(NamedTuple):
    """A folder that agents worked in, and what Learnloop knows of it."""

    path: str
    name: str
    sessions: int
    drafts: int
    active: int
    last_seen: str
    recording: bool
    recalling: bool

    def as_json(self) -> dict[str, Any]:
        """The project as JSON values."""
        return self._asdict()


def sessions(ws: "Workspace", limit: int = 50) -> list[Session]:
    """The last sessions, newest first."""
    from learnloop.store.store import Store

    return Store(ws.root).sessions(limit=limit)


def turns(ws: "Workspace", session_id: str | None = None, limit: int = 50) -> list[Turn]:
    """The last turns, of one session or of all, newest first."""
    from learnloop.store.store import Store

    return Store(ws.root).turns(session_id=session_id, limit=limit)


def feedback(ws: "Workspace", limit: int = 50, project: str | None = None) -> list[Feedback]:
    """The last feedback, newest first."""
    from learnloop.store.store import Store

    return Store(ws.root).feedback(limit=limit, project=project)


def projects(ws: "Workspace") -> list[Project]:
    """Every project with sessions or lessons, the one seen last first."""
    from learnloop.wire import switches

    seen: dict[str, str] = {}
    count: Counter[str] = Counter()
    for session in sessions(ws, limit=10_000):
        count[session.project] += 1
        seen[session.project] = max(seen.get(session.project, ""), session.last_seen)
    drafts, active = _lessons_by_project(ws)
    found = {path for path in (*seen, *drafts, *active) if path}
    made = [
        Project(
            path, path.rpartition("/")[2] or path, count[path], drafts[path], active[path],
            seen.get(path, ""), switches.recording(ws.root, path),
            switches.recalling(ws.root, path),
        )
        for path in found
    ]  # fmt: skip
    return sorted(made, key=lambda project: (project.last_seen, project.path), reverse=True)


def history(
    ws: "Workspace", limit: int | None = 50, wanted: Callable[[Decision], bool] = lambda _: True
) -> list[dict[str, Any]]:
    """The last decisions that are wanted, newest first.

    Each is {id, ts, action, lesson_ids, by, undone, args, sentence}. A sentence names its lesson, which is
    looked up for it: who wants a few decisions should say so.
    """
    from learnloop.service.review.verdicts import stacks

    every = documents.decisions(ws.root)
    _, undone = stacks(every)
    taken_back = {decision.id for decision in undone} | {decision.id for decision in every if decision.undone}
    docs = documents.lessons(ws.root)
    return [
        {**decision.as_json(), "undone": decision.id in taken_back, "sentence": sentence(decision, docs)}
        for decision in list(filter(wanted, every[::-1]))[:limit]
    ]


def told(ws: "Workspace", decision: Decision) -> str:
    """The decision that an undo or redo names, in words; empty where it names none."""
    named = decision.args.get("decision")
    return "".join(one["sentence"] for one in history(ws, 1, lambda one: one.id == named))


_VERBS = {
    "promote": "Promoted", "reject": "Rejected", "archive": "Archived", "restore": "Restored",
    "edit": "Edited", "pause": "Paused", "resume": "Resumed", "add": "Told", "undo": "Undid a verdict on",
    "redo": "Redid a verdict on", "keep": "Kept", "rate": "Rated", "confirm": "Confirmed",
    "mute": "Muted", "unmute": "Unmuted", "dismiss": "Dropped",
}  # fmt: skip


def sentence(decision: Decision, docs: Mapping[str, documents.Document]) -> str:
    """A decision in words: what was done to which lesson, and why."""
    if decision.action == "patch" or decision.args.get("patches"):
        from learnloop.service.patches import patches

        return patches.sentence(decision)
    named = _named(decision, docs)
    args = decision.args
    if decision.action == "scope":
        where = "everywhere" if args.get("scope") == "global" else args.get("path") or args.get("project", "")
        return f"Set {named} to hold {'' if where == 'everywhere' else 'in '}{where}"
    if decision.action == "add" and decision.args.get("lesson", {}).get("source") == "import":
        return f"Imported {named}"
    if decision.action == "gate":
        return f"{'Gate on' if args.get('on', True) else 'Gate off'} for {named}"
    if decision.action == "rate":
        return f"Rated {named} {args.get('verdict', '')}"
    if decision.action == "merge":
        others = [name for name in decision.lesson_ids if name != args.get("keep")]
        kept = decision.with_(lesson_ids=(str(args.get("keep", "")),))
        return f"Merged {_named(decision.with_(lesson_ids=tuple(others)), docs)} into {_named(kept, docs)}"
    text = f"{_VERBS.get(decision.action, decision.action.capitalize())} {named}"
    if decision.action == "edit":
        return f"{text}: {', '.join(args)}"
    if args.get("reason"):
        text += f" ({args['reason']})"
    return text


def _named(decision: Decision, docs: Mapping[str, documents.Document]) -> str:
    belief = decision.args.get("belief")
    if isinstance(belief, dict):
        return f"{str(belief.get('id', ''))[:6]} “{belief.get('statement') or belief.get('subject', '')}”"
    if decision.action in ("mute", "unmute"):
        return f"the rule “{decision.args.get('rule', '')}”"
    if decision.action == "trust":
        return str(decision.args.get("project", ""))
    if len(decision.lesson_ids) != 1:
        return f"{len(decision.lesson_ids)} lessons"
    lesson_id = decision.lesson_ids[0]
    doc = docs.get(lesson_id) or decision.args.get("lesson") or {}
    statement = doc.get("statement") or decision.args.get("statement") or doc.get("title") or "a lesson"
    return f"{lesson_id[:6]} “{statement}”"


def _lessons_by_project(ws: "Workspace") -> tuple[Counter[str], Counter[str]]:
    drafts: Counter[str] = Counter()
    active: Counter[str] = Counter()
    for row in rows.rows(ws, None):
        into = {"draft": drafts, "active": active}.get(row.status)
        if into is not None:
            into[row.project] += 1
    return drafts, active
