"""The doctor's checks of what is stored: journal, spool, documents, index, quarantine."""

from collections.abc import Iterator
from pathlib import Path

from learnloop.service.elapsed import elapsed
from learnloop.service.health.check import Check, fail, ok, warn
from learnloop.service.health.quick_status import generations
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, paths, regular

_MIB = 1 << 20
_MOST_PIECES = 10
_MOST_AHEAD_MS = 3_600_000
_LONGEST_WAIT_MS = 2 * 86_400_000


def journal(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether the journal is small, so that something ingests it."""
    from learnloop.service import workspace
    from learnloop.service.sessions import recent_events

    if fix:
        workspace.ingest(ws, wait_s=2.0)
    size = recent_events.size_of(paths.journal(ws.root))
    if size > 32 * _MIB:
        yield warn(f"{size // _MIB} MiB wait to be ingested", "learn ingest takes them in")
    elif (age := _age_ms(paths.journal(ws.root))) > _LONGEST_WAIT_MS:
        message = f"{size // 1024} KiB wait to be ingested, the oldest for {elapsed(age)}"
        yield warn(message, "learn ingest takes them in; learn config background true lets hooks do it")
    else:
        yield ok(f"{size // 1024} KiB wait to be ingested")


def _age_ms(path: str) -> int:
    """How old the first event of a journal is; 0 where there is none."""
    from learnloop.service.sessions import recent_events

    try:
        first = next(recent_events.decoded(regular.read(path, _MIB)), None)
    except OSError:
        return 0
    return clock.now_ms() - clock.parse_ms(first["ts"]) if first else 0


def spool(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the spool is empty: hooks write there when they cannot write the journal."""
    from learnloop.service.sessions import recent_events

    count = len(recent_events.spool_files(ws.root))
    if count:
        message = f"{count} records wait in the spool: the journal could not be written for a while"
        yield warn(message, "learn ingest takes them in")
    else:
        yield ok("empty")


def clock_ahead(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether segments are named in the future, because the clock was ahead."""
    from learnloop.store import segments

    ahead = segments.fold_ms((segments.names(ws.root) or [""])[-1]) - clock.now_ms()
    if ahead > _MOST_AHEAD_MS:
        message = f"it was {elapsed(ahead)} ahead when events were stored, or is behind now"
        yield warn(
            message, "set it right; retention goes by the events themselves, so nothing is kept longer"
        )
    else:
        yield ok("agrees with what is stored")


def detector(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether history was read by the present detector."""
    from learnloop.service.intake import analysis

    if analysis.is_outdated(ws):
        yield warn(analysis.REMARK, analysis.HINT)
    else:
        yield ok("history was read by the present detector")


def documents(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether every stored document can be read."""
    from learnloop.store.store import Store

    store = Store(ws.root)
    lessons, decisions = len(store.lessons()), store.decisions()
    store.sessions(limit=1), store.turns(limit=1), store.feedback(limit=1)
    damage = store.damage()
    for line in damage:
        yield warn(line, "the files in quarantine can be inspected and then removed")
    if not damage:
        yield ok(f"{lessons} lessons, {len(decisions)} decisions")


def decisions(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether every decision is the person's, and follows one that is there."""
    from learnloop.learn.lessons.decisions import held_decisions
    from learnloop.service.lessons import documents
    from learnloop.store import seal

    claimed, gaps = held_decisions(documents.decisions(ws.root)), seal.breaks(ws.root)
    if claimed:
        message = f"{len(claimed)} may be an agent's, the last one because {claimed[-1].claimed}"
        way_out = "Triage shows verdicts: p accepts, r discards; learn patches dismiss ID discards a patch"
        yield warn(message, f"{way_out}; learn history lists all")
    if gaps:
        message = f"the chain is broken {gaps}×: a decision was removed by hand, or lost"
        yield warn(message, "learn history lists what is there; compare it with what you decided")
    if not (claimed or gaps):
        yield ok("the chain is whole")


def index(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether hooks read the lessons that the store has."""
    from learnloop.service.recall import explain

    if fix:
        explain.publish(ws, force=True)
    stored, published = generations(ws.root)
    if published is None and Path(paths.index(ws.root)).exists():
        yield fail("it cannot be read, so nothing is recalled", "learn doctor --fix writes it again")
    elif published is None and not stored:
        yield ok("there is no lesson to recall yet")
    elif published != stored:
        message = f"agents get generation {published or 0}, the store is at {stored}"
        yield warn(message, "learn doctor --fix publishes it")
    else:
        yield ok(f"current, generation {stored}")


def earlier(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether hooks can read the index of earlier tasks."""
    from learnloop.ingest import earlier_tasks

    if fix and earlier_tasks.is_used(ws.root):
        earlier_tasks.mend(ws.root, ws.settings.vectors.model)
    if damaged := earlier_tasks.damaged(ws.root):
        message = f"{len(damaged)} files of the index are damaged or not of this store, so less is told"
        yield warn(message, "learn doctor --fix writes them anew")
    else:
        yield ok("whole" if earlier_tasks.is_used(ws.root) else "nobody has asked for earlier tasks")


def vectors(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether tasks are found by what they mean, where a person named a model for it."""
    from learnloop.ingest import earlier_tasks, task_vectors
    from learnloop.service.tasks import by_meaning

    if not ws.settings.vectors.model:
        yield ok("no model is named")
        return
    if fix:
        earlier_tasks.refresh(ws.root, wait_s=2.0, model=ws.settings.vectors.model)
    damaged, odd = task_vectors.damaged(ws.root)
    message, hint = by_meaning.obstacle(ws)
    if damaged:
        yield warn(f"{damaged} of their files cannot be read", "learn memories rebuild --vectors")
    elif message:
        yield warn(message, hint)
    elif odd:
        yield warn(f"the model gives no numbers for {odd} tasks", "learn config vectors.model names another")
    else:
        yield ok("every task has one")


def quarantine(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """What could not be read and was kept aside."""
    from learnloop.store.quarantine import listing

    folder = paths.quarantine(ws.root)
    pieces = listing(ws.root)
    for piece in pieces[:_MOST_PIECES]:
        lines = "1 line" if piece.lines == 1 else f"{piece.lines} lines"
        message = f"{lines} of {piece.source} ({piece.reason}, {piece.bytes:,} bytes)"
        yield warn(message, f"look at {folder}/{piece.name}, then remove it")
    if len(pieces) > _MOST_PIECES:
        yield warn(f"and {len(pieces) - _MOST_PIECES} more", f"all are in {folder}")
    if not pieces:
        yield ok("empty")
