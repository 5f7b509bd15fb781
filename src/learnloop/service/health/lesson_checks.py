"""The doctor's checks of lessons: priorities, missed recalls, blocks in prompt files, imports."""

from collections.abc import Iterator
from shlex import quote

from learnloop.service.health.check import Check, fail, ok, warn
from learnloop.service.workspace import Workspace

_MOST_SILENT = 5


def priorities(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether few enough lessons are CRITICAL: it is for what breaks production."""
    from learnloop.service.lessons import query

    share = query.critical_share(ws)
    if share is None:
        yield ok("CRITICAL is kept for few lessons")
        return
    critical, active = share
    yield warn(
        f"{critical} of {active} active lessons are CRITICAL ({critical * 100 // active} %, 30 % is a lot)",
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
        hint = f"learn why --explain at that file says why; learn gate {lesson.short} stops the call"
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

    failed = [proposal for proposal in upkeep.proposals(ws) if proposal.reason == "ignored"]
    for proposal in failed:
        yield warn(f"{proposal.short} was {proposal.words}", proposal.advice)
    if not failed:
        yield ok("no lesson is told and ignored again and again")


def starts(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether agents are told at a session's start all that is meant for it."""
    from learnloop.service.lessons import rows
    from learnloop.service.recall.at_start import at_start

    projects = sorted({row.project for row in rows.rows(ws, "active")})
    full = {name: start for name in projects if (start := at_start(ws.root, name)).left_out}
    for project, start in list(full.items())[:_MOST_SILENT]:
        left_out = "1 lesson is" if len(start.left_out) == 1 else f"{len(start.left_out)} lessons are"
        where = f"at the start in {project or 'any project'}"
        hint = "shorten or archive some, or raise start_tokens; learn status there names them"
        yield warn(f"{left_out} not told {where}: {start.budget} tokens are full", hint)
    if not full:
        yield ok("what is meant for a session's start fits into it")


_UNREAD = "put a line with @ and its name into the instruction file beside it, as @LEARNED.md into CLAUDE.md"


def prompt_files(ws: Workspace, fix: bool) -> Iterator[Check]:
    """Whether every change of a prompt file is recorded, and its blocks are unchanged since."""
    from learnloop.service.patches import block_upkeep, stale_items

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
    stale = stale_items.stale_items(ws)
    for item in stale:
        yield warn(f"{item.path}: {item.item}: {item.why}", f"learn patches revert {item.short} takes it out")
    if not (modified or unread or stale):
        yield ok(f"{block_upkeep.applied_count(ws)} blocks are in prompt files")


def imports(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """What imports left out, and why."""
    from learnloop.service.intake import skipped

    entries = skipped.listing(ws.root)
    for entry in entries:
        parts = "1 part" if entry.count == 1 else f"{entry.count} parts"
        more = "" if entry.count == 1 else f", and {entry.count - 1} more"
        reason = f"{entry.brief(entry.reasons[0])}{more}"
        yield ok(f"{parts} of {entry.path} left out ({entry.at[:10]}): {reason}")
    if not entries:
        yield ok("nothing was left out")


def trusted_files(ws: Workspace, _fix: bool) -> Iterator[Check]:
    """Whether the files of trusted projects still say what they said when they were trusted."""
    from learnloop.service.review import trust

    changed = sorted(trust.changed(ws.root))
    for project in changed:
        message = f"the instructions in {project} changed since you trusted them, so they do not count"
        yield warn(message, f"read them, then learn trust --project {quote(project)}")
    if not changed:
        count = len(trust.trusted(ws.root))
        yield ok("1 project is trusted" if count == 1 else f"{count} projects are trusted")
