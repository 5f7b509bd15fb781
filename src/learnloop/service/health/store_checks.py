"""The doctor's checks of what is stored: lessons and files, journal, spool, documents, index, quarantine."""

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from learnloop.service.elapsed import elapsed
from learnloop.service.health.check import Check, fail, ok, warn
from learnloop.service.health.quick_status import is_current
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, paths, regular

_MOST_SILENT, _STRICT = 5, 2


def priorities(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether few enough lessons are CRITICAL: it is for what breaks production."""
    from learnloop.service.lessons import query

    if share := query.critical_share(ws):
        critical, active = share
        percent = critical * 100 // active
        yield warn(
            f"{critical} of {active} active lessons are CRITICAL ({percent} %, 30 % is a lot)",
            "lower those that do not keep production from breaking: learn edit ID --priority HIGH",
        )


def silent(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether CRITICAL lessons were recalled where they matter."""
    from learnloop.service.health.missed_recalls import missed_recalls
    from learnloop.service.lessons import documents, rows

    critical = rows.critical(ws)
    missed = missed_recalls(critical, every=documents.lessons(ws.root))
    for lesson in missed[:_MOST_SILENT]:
        times = "once" if lesson.times == 1 else f"{lesson.times} times"
        message = f"{lesson.short} was not recalled {times}, last {lesson.at[:10]} at {lesson.file}"
        hint = f"learn why --explain at that file says why; learn check {lesson.short} --first stops it"
        yield warn(message, hint)
    never = sum(not (doc.get("usage") or {}).get("recalled") for doc in critical.values())
    if missed:
        return
    if not critical:
        yield ok("no lesson in use is CRITICAL")
    elif never:
        which = f"{never} of {len(critical)} CRITICAL lessons"
        yield ok(f"no recall of {which} was counted yet; none is known to have been missed")
    else:
        yield ok("every CRITICAL lesson was recalled where it mattered")


def ignored(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether agents do what they are told."""
    from learnloop.service.lessons import upkeep

    for proposal in upkeep.proposals(ws):
        if proposal.reason == "ignored":
            yield warn(f"{proposal.short} was {proposal.words}", proposal.advice)


def strict(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether a check stops what the person then orders; the repair lets it remind at the end instead."""
    from learnloop.service.lessons import documents
    from learnloop.service.review import agent_guard, verdicts

    use = {key: doc.get("usage") or {} for key, doc in documents.lessons(ws.root).items() if doc.get("stops")}
    for key in (key for key in use if use[key].get("ordered", 0) >= _STRICT):
        short = documents.short(ws.root, key)
        if fix and not agent_guard.is_inside():
            verdicts.bind(ws, key, "remind")
            yield ok(f"{short} reminds at the end from now on and stops nothing; learn undo takes that back")
        else:
            message = f"{short} stops a call that you ordered {use[key]['ordered']} times"
            yield warn(message, f"learn check {short} --remind, or a in Health, lets it remind at the end")


def newer_checks(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether this version knows all checks."""
    from learnloop.models.lesson_check import is_known
    from learnloop.service.lessons import documents

    held = documents.lessons(ws.root)
    named = [key for key in held if not all(map(is_known, held[key].get("check") or ()))]
    for key in named[:_MOST_SILENT]:
        short = documents.short(ws.root, key)
        yield warn(
            f"the check of {short} is of a newer Learnloop: it is told and binds nobody", "upgrade here"
        )


def own_commands(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether each command that has to pass is still what the person allowed."""
    from learnloop.service.lessons import documents
    from learnloop.wire import own_command

    held = {key: doc["run"] for key, doc in documents.lessons(ws.root).items() if doc.get("run")}
    for key, run in held.items():
        if path := own_command.changed(run):
            short = documents.short(ws.root, key)
            message = f"`{run['line']}` does not run: {path} is another than when you allowed it"
            yield warn(
                message, f"read it, then allow it again: learn check {short} --run {quote(run['line'])}"
            )
    if held:
        yield ok(f"commands that have to pass: {len(held)}")


def starts(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether agents are told at a session's start all that is meant for it."""
    from learnloop.service.lessons import rows
    from learnloop.service.recall.at_start import AtStart, at_start

    projects = sorted({row.project for row in rows.rows(ws, "active")})
    start_by_project = {name: at_start(ws.root, name) for name in projects}
    full = {name: start for name, start in start_by_project.items() if start.left_out}
    for project, start in list(full.items())[:_MOST_SILENT]:
        left_out = "1 lesson is" if len(start.left_out) == 1 else f"{len(start.left_out)} lessons are"
        where = f"at the start in {project or 'any project'}"
        hint = "shorten or archive some, or raise start_tokens; learn why --start there shows them"
        yield warn(f"{left_out} not told {where}: {start.budget} tokens are full", hint)
    if not full:
        project, start = max(
            start_by_project.items(), key=lambda item: item[1].tokens, default=("", AtStart())
        )
        fullest = f"; {project or 'any project'} is told {start.words}" if start.words else ""
        yield ok(f"what is meant for a session's start fits into it{fullest}")


_UNREAD = "put a line with @ and its name into the instruction file beside it, as @LEARNED.md into CLAUDE.md"


def prompt_files(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether every change of a prompt file is recorded, and its blocks are unchanged since."""
    from learnloop.service.patches import block_upkeep

    for line in block_upkeep.recover(ws) if fix else ():
        yield ok(f"{line}; that is recorded now")
    cut_off = block_upkeep.unfinished_count(ws)
    if cut_off:
        yield fail(f"{cut_off} changes were cut off", "learn doctor --fix finds out what was written")
        return
    modified, unread = block_upkeep.modified_blocks(ws), block_upkeep.unread_facts(ws)
    for line in modified:
        yield warn(line, "learn patches show says more; learn patches revert takes it out")
    for path in unread:
        yield warn(f"no agent reads {path}", _UNREAD)
    stale = block_upkeep.stale_items(ws)
    for item in stale:
        yield warn(f"{item.path}: {item.item}: {item.why}", f"learn patches revert {item.short} takes it out")
    if not (modified or unread or stale):
        yield ok(f"{block_upkeep.applied_count(ws)} blocks are in prompt files")


def trusted_files(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the files of trusted projects still say what they said when they were trusted."""
    from learnloop.service.review import trust

    changed = sorted(trust.changed(ws.root))
    for project in changed:
        message = f"instructions or lessons of {project} changed since you trusted them, so they do not count"
        yield warn(message, f"read them, then learn config --trust --project {quote(project)}")
    if not changed:
        count = len(trust.trusted(ws.root))
        yield ok("1 project is trusted" if count == 1 else f"{count} projects are trusted")


def team(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """How old the news of the team is, and why its database does not answer."""
    from learnloop.service.transfer import team

    if report := team.report(ws):
        news = "{team}, {exchanged}, {waiting} wait to be sent".format_map(report)
        yield warn(f"{news}: {report['failed']}", "learn team sync") if report["failed"] else ok(news)


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
    """How old the first event of a journal is that is no decision; 0 where there is none."""
    from learnloop.service.sessions import recent_events

    try:
        events = recent_events.decoded(regular.read(path, _MIB))
        first = next((event for event in events if event["kind"] != "decision"), None)
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


def clock_ahead(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether segments are named in the future, because the clock was ahead."""
    from learnloop.store import segments

    ahead = segments.fold_ms((segments.names(ws.root) or [""])[-1]) - clock.now_ms()
    if ahead > _MOST_AHEAD_MS:
        message = f"it was {elapsed(ahead)} ahead when events were stored, or is behind now"
        yield warn(
            message, "set it right; retention goes by the events themselves, so nothing is kept longer"
        )


def detector(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether history was read by the present detector."""
    from learnloop.service.intake import analysis

    if analysis.is_outdated(ws):
        yield warn(analysis.REMARK, analysis.HINT)


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
        way_out = "the Inbox shows verdicts: p accepts, r discards; learn patches dismiss ID discards a patch"
        yield warn(message, f"{way_out}; learn undo --history lists all")
    if gaps:
        message = f"the chain is broken {gaps}×: a decision was removed by hand, or lost"
        yield warn(message, "learn undo --history lists what is there; compare it with what you decided")


def index(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether hooks read the lessons that the store has."""
    from learnloop.service.recall import explain
    from learnloop.wire import index as index_file

    if fix:
        explain.publish(ws, force=True)
    if Path(paths.index(ws.root)).exists() and index_file.read(paths.index(ws.root)) is None:
        yield fail("it cannot be read, so nothing is recalled", "learn doctor --fix writes it again")
    elif not is_current(ws.root):
        yield warn("agents get the lessons of an earlier state", "learn doctor --fix publishes it")


def history(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether the database is whole, what lay in its place, and what an earlier program left."""
    from learnloop.errors import LearnloopError
    from learnloop.store import former, history

    try:
        if history.is_there(ws.root):
            history.verify(ws.root)
    except LearnloopError as error:
        yield fail(error.message, error.hint)
    if fix:
        history.drop_backups(ws.root)
        former.drop_backup(ws.root)
    if (old := former.backup(ws.root)).exists():
        message = f"{old} has the files of an earlier Learnloop, which are in the database now"
        yield warn(message, "learn doctor --fix removes them")
    for old in history.set_aside(ws.root):
        message = f"{old} lay in the place of {history.path(ws.root)}, and was damaged or none of ours"
        yield warn(message, "learn doctor --fix removes it")
    yield ok("whole" if history.is_there(ws.root) else "nothing was recorded yet")


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
    from learnloop.ingest import earlier_tasks
    from learnloop.service.tasks import by_meaning
    from learnloop.vectors import model_folder, near

    if not ws.settings.vectors.model:
        return
    if fix:
        earlier_tasks.refresh(ws.root, wait_s=2.0, model=ws.settings.vectors.model)
    message, hint = by_meaning.obstacle(ws)
    if message:
        yield warn(message, hint)
    elif odd := near.counts(ws.root, model_folder.read(ws.settings.vectors.model)).odd:
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
