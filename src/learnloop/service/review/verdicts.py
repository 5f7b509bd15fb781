"""Verdicts: what a person decides about lessons, written as events and in effect at once.

A verdict is checked against the present lesson, and a refusal names the field and what to do. Then it is
appended durably to the journal, and takes effect with a short wait.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from learnloop.errors import Refused
from learnloop.learn.facts import reading_consent
from learnloop.learn.lessons import acts, claims, reasons, sanitize, trigger_limits
from learnloop.learn.lessons import content as kinds
from learnloop.models import Decision, Lesson
from learnloop.models.kinds import is_empty
from learnloop.models.lesson_check import CheckRule, reading_first, reads_first
from learnloop.recall import compile as compiling
from learnloop.service import event_log, place, workspace
from learnloop.service.id_prefix import shown
from learnloop.service.lessons import documents
from learnloop.service.lessons.documents import came_from, find, find_all
from learnloop.service.review import agent_guard
from learnloop.service.workspace import Workspace
from learnloop.wire import clock, origin, render, text


def _settle(ws: Workspace, lessons: Sequence[Lesson], *, accept: bool) -> Decision:
    """Accept or discard every claimed verdict on one lesson.

    A document that was edited by hand cannot be put back, so discarding the edit archives its lesson. Raises
    Refused for several lessons, because each has to be read, and where no person sits.
    """
    action = "accept" if accept else "discard"
    if len(lessons) != 1:
        raise Refused(
            "an agent may have decided about one of these, so they are not settled together",
            "read each, then promote it to accept the verdict or reject it to discard the verdict",
        )
    agent_guard.check(ws, action, [lessons[0].id])
    if not place.here().attended:
        raise Refused("a claimed verdict is settled at a terminal", "press p or r in learn-tui")
    names = [claim.decision for claim in lessons[0].claims]
    is_edited = any(claim.reason == claims.BY_HAND for claim in lessons[0].claims)
    args = {"archive": True} if is_edited and not accept else {}
    return event_log.decide(ws, action, [lessons[0].id], {"decisions": names, **args})


EDITABLE = (
    "statement", "title", "description", "kind", "priority", "category", "context", "keywords", "example",
    "counter_example", "triggers", "content", "expires_at", "stops", "reminds", "check", "run",
)  # fmt: skip


def promote(
    ws: Workspace, ids: str | Sequence[str], statement: str | None = None, *,
    way: Literal["stop", "remind", "tell"] | None = None, check: Sequence[CheckRule] = (),
    more: Mapping[str, Any] | None = None,
) -> Decision:  # fmt: skip
    """Make drafts active; `statement` gives words to the one draft that needs them.

    `stop`: a call that breaks one of them is stopped once per session, and an agent that ends with something
    due goes on once. `remind`: it goes on once after a breach too, and nothing is stopped. `tell`: neither.
    None stops, and leaves reminders as they are. `check` is one that was proposed, and that it gets. `more`
    is what they settle besides (`service.profile.one_yes`).

    Of a lesson with claimed verdicts these are accepted instead. Several at once are one decision with one
    undo. Raises Refused for lessons that are no drafts, lack words,
    have triggers that match everything, or quote foreign text where there are several.
    """
    claimed = [lesson for lesson in find_all(ws, ids) if lesson.claims]
    if claimed:
        if statement is not None:
            raise Refused("an agent may have decided about it", "learn reject discards that, then promote it")
        return _settle(ws, find_all(ws, ids), accept=True)
    chosen, args = _promotable(ws, ids, statement)
    rules = {"check": [rule.as_json() for rule in check]} if check else {}
    bound = {"way": way} if way else {"stop": True}
    return decide(ws, "promote", chosen, {**args, **bound, **rules, **(more or {})})


def replace(ws: Workspace, new_id: str, old_id: str, statement: str | None = None) -> Decision:
    """Let a lesson take the place of an active one that it contradicts, which is archived as superseded.

    A draft is promoted by that; `statement` gives it words. Raises Refused as `promote`, and where the old
    lesson holds in more places.
    """
    new = _in_state(ws, new_id, "draft", "active", verb="put in place of another")[0]
    old = _in_state(ws, old_id, "active", verb="replaced", hint="a draft is rejected instead")[0]
    if new.id == old.id:
        raise Refused("a lesson cannot replace itself", "name the new one, then the old one")
    _refuse_fewer_places(ws, new, [old])
    args = {**_promotable(ws, new.id, statement)[1], "stop": True} if new.status == "draft" else {}
    return decide(ws, "replace", [new, old], {"keep": new.id, **args})


def _promotable(
    ws: Workspace, ids: str | Sequence[str], statement: str | None
) -> tuple[list[Lesson], dict[str, Any]]:
    """The drafts that can be promoted, and the words that one of them gets; raises Refused."""
    chosen = _in_state(ws, ids, "draft", verb="promoted")
    args: dict[str, Any] = {}
    if statement is not None:
        if len(chosen) != 1:
            raise Refused("one statement cannot be given to several lessons", "promote them one by one")
        args["statement"] = _sentence(ws, statement)
    wordless = [lesson for lesson in chosen if lesson.needs_words or not lesson.statement]
    if wordless and not args:
        raise Refused(
            f"{_names(ws, wordless)} needs words: the sentence does not say what to do",
            'say it: promote it with --statement "…", or press p in learn-tui',
        )
    foreign = [lesson for lesson in chosen if lesson.trust != "user"]
    if foreign and len(chosen) > 1:
        raise Refused(
            f"{_names(ws, foreign)} has words that are not yours, so it is not promoted with others",
            "read it, then promote it by itself; learn triage --filter is:external (or trust:agent) asks",
        )
    # with the rules behind it, which reading does not need

    refuse_triggers(chosen)
    return chosen, args


def reject(ws: Workspace, ids: str | Sequence[str], reason: str = "") -> Decision:
    """Turn drafts down for good; the same correction later is held back and counted.

    Of a lesson with claimed verdicts these are discarded instead.

    `reason` is one of `learn.lessons.reasons.REJECTING`, or other words. Raises Refused for other lessons.
    """
    if any(lesson.claims for lesson in find_all(ws, ids)):
        return _settle(ws, find_all(ws, ids), accept=False)
    chosen = _in_state(ws, ids, "draft", verb="rejected", hint="archive it instead")
    normal_reason = reasons.normalise_reason(reason)
    return decide(ws, "reject", chosen, {"reason": normal_reason} if normal_reason else {})


def archive(ws: Workspace, ids: str | Sequence[str], reason: str = "unused") -> Decision:
    """Take active lessons out of use; `reason` is expired, unused, superseded or harmful, else Refused."""
    allowed = ("expired", "unused", "superseded", "harmful")
    if reason not in allowed:
        raise Refused(f"{reason!r} is no reason to archive", f"take one of {', '.join(allowed)}")
    chosen = _in_state(ws, ids, "active", verb="archived", hint="a draft is rejected instead")
    return decide(ws, "archive", chosen, {"reason": reason})


def restore(ws: Workspace, ids: str | Sequence[str]) -> Decision:
    """Bring archived lessons back into use, and rejected ones back as drafts; Refused for others."""
    chosen = _in_state(ws, ids, "archived", "rejected", verb="restored")
    return decide(ws, "restore", chosen, {})


def edit(ws: Workspace, lesson_id: str, changes: dict[str, Any]) -> Decision:
    """Change the words or triggers of one lesson; raises Refused where the result is not a valid lesson.

    `run` is the line of a command, and needs a person at a terminal.
    """
    from pydantic import ValidationError

    lesson = find(ws, lesson_id)
    unknown = [name for name in changes if name not in EDITABLE]
    if unknown:
        raise Refused(f"{', '.join(unknown)} cannot be edited", f"one of {', '.join(EDITABLE)} can")
    if "statement" in changes:
        changes = {**changes, "statement": _sentence(ws, str(changes["statement"]))}
    if "run" in changes:
        from learnloop.service.review import own_commands

        changes = {**changes, "run": own_commands.allowed(ws, lesson, str(changes["run"]))}
    if "expires_at" in changes:
        changes = {**changes, "expires_at": future_day(changes["expires_at"])}
    changes = complete(ws, lesson, workspace.redacted(ws, changes))
    try:
        edited = lesson.with_(**changes)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        raise Refused(f"{place}: {message}" if place else message, "nothing was changed") from None
    is_judged = any(reading_consent.asked(documents.decisions(ws.root)).values())
    if changes.get("reminds") and "statement" not in changes and not edited.check and not is_judged:
        nothing = f"{_names(ws, [lesson])} has nothing due, so there is nothing to remind of"
        raise Refused(nothing, "learn check ID --set says what goes with what, or: learn facts on --turns")
    fields = edited.as_json()
    return decide(ws, "edit", [lesson], {name: fields.get(name) for name in changes})


def set_scope(
    ws: Workspace, ids: str | Sequence[str], scope: str, project: str | None = None, path: str | None = None
) -> Decision:
    """Set where lessons hold: `global`, `project` or `module` (a path below the project); else Refused."""
    chosen = find_all(ws, ids)
    if scope not in ("global", "project", "module"):
        raise Refused(f"{scope!r} is no scope", "take global, project or module")
    args: dict[str, Any] = {"scope": scope}
    if scope != "global":
        projects = {project or came_from(ws, lesson) for lesson in chosen} - {""}
        if len(projects) != 1:
            raise Refused("it is not clear which project is meant", "name it with --project")
        args["project"] = projects.pop()
        args["repo"] = origin.name(args["project"])
    if scope == "module":
        if not path:
            raise Refused("a module needs a path below the project", "name it with --path")
        args["path"] = path
    return decide(ws, "scope", chosen, args)


def pause(ws: Workspace, ids: str | Sequence[str], paused: bool) -> Decision:
    """Stop recalling active lessons for now, or go on; Refused for lessons that are not active."""
    chosen = _in_state(ws, ids, "active", verb="paused" if paused else "resumed")
    return decide(ws, "pause" if paused else "resume", chosen, {})


def bind(ws: Workspace, lesson_id: str, way: str, check: Sequence[CheckRule] = ()) -> Decision:
    """Decide how a lesson binds: it stops, reminds, or is only told. `check` is one that it gets.

    With `first` it stops the first call that its triggers name, so that it is read before; raises Refused
    where they name none.
    """
    lesson = find(ws, lesson_id)
    if check:
        rules = [rule.as_json() for rule in check]
        return edit(ws, lesson.id, {"check": rules, **acts.binding({"check": rules}, way)})
    rest = [rule.as_json() for rule in lesson.check if not reads_first(rule.as_json())]
    if way != "first":
        changes = acts.binding(lesson.as_json(), way)
        return edit(ws, lesson.id, {**changes, "check": rest} if lesson.gate else changes)
    if first := reading_first(lesson.triggers.model_dump()):
        return edit(ws, lesson.id, {"check": [*rest, *first]})
    way_out = "learn edit ID --file-pattern or --command-pattern says where it matters"
    raise Refused("it names no file and no command, so there is no call that it could stop", way_out)


def rate(ws: Workspace, ids: str | Sequence[str], verdict: str) -> Decision:
    """Rate the last recall of active lessons as `helpful` or `harmful`, else Refused; the latest counts."""
    if verdict not in ("helpful", "harmful"):
        raise Refused(f"{verdict!r} is no rating", "take helpful or harmful")
    chosen = _in_state(ws, ids, "active", verb="rated", hint="only what is recalled is rated")
    last = {lesson.id: lesson.usage.last_recalled or "" for lesson in chosen}
    return decide(ws, "rate", chosen, {"verdict": verdict, "of": last})


def keep(ws: Workspace, ids: str | Sequence[str]) -> Decision:
    """Turn down the proposal to archive lessons; they are not proposed again for a while."""
    return decide(ws, "keep", _in_state(ws, ids, "active", "draft", verb="kept"), {})


def merge(ws: Workspace, keep_id: str, others: str | Sequence[str]) -> Decision:
    """Let one lesson replace others: it gets their evidence, they are archived and name it.

    Raises Refused where agents would lose an active lesson, or one that holds in more places.
    """
    target = _in_state(ws, keep_id, "active", "draft", verb="kept in a merge")[0]
    merged = [
        lesson for lesson in _in_state(ws, others, "active", "draft", verb="merged") if lesson.id != target.id
    ]
    if not merged:
        raise Refused("a lesson cannot be merged with itself", "name the one to keep, then the others")
    active = [lesson for lesson in merged if lesson.status == "active"]
    if active and target.status == "draft":
        both = f"{_names(ws, active)} is active and {_names(ws, [target])} a draft"
        raise Refused(f"{both}: agents would get neither", "keep the active one, or promote the draft first")
    _refuse_fewer_places(ws, target, merged)
    return decide(ws, "merge", [target, *merged], {"keep": target.id})


def _refuse_fewer_places(ws: Workspace, target: Lesson, others: Sequence[Lesson]) -> None:
    elsewhere = [
        lesson for lesson in others
        if lesson.scope == "global" or not origin.is_same(lesson.project, target.project, lesson.repo)
    ]  # fmt: skip
    if elsewhere and target.scope != "global":
        raise Refused(
            f"{_names(ws, [target])} applies in fewer places than what it would replace",
            "widen its scope first (s in learn-tui, learn edit --scope global)",
        )


def add(ws: Workspace, statement: str, scope: str = "global", project: str = "", **more: Any) -> Decision:
    """Add a lesson in the person's own words, active at once: typing it is approving it.

    Its triggers follow from its words, as with drafts; `more` sets other fields. Raises Refused where the
    project is missing or a draft or active lesson says the same.
    """
    if scope != "global" and not project:
        raise Refused("it is not clear which project is meant", "name it with --project, or use scope global")
    from learnloop.ingest import statement_index
    from learnloop.models import ids

    ms = clock.now_ms()
    fields = {"id": ids.draft_id(clock.new_id(ms), "told"), "scope": scope, "project": project}
    own = _own_lesson(_sentence(ws, statement), clock.iso(ms), fields | more)
    lesson = Lesson.model_validate(statement_index.placed(own.as_json()))
    for doc in documents.lessons(ws.root).values():
        if doc.get("fingerprint") == lesson.fingerprint and doc.get("status") in ("draft", "active"):
            way_out = "learn promote makes it active" if doc["status"] == "draft" else "nothing is to be done"
            raise Refused(
                f"{documents.short(ws.root, doc['id'])} ({doc['status']}) says that already", way_out
            )
    return decide(ws, "add", [lesson], {"lesson": lesson.as_json()})


def tell(ws: Workspace, words: str, scope: str = "global", project: str = "") -> Decision:
    """Add a lesson as `add` does, of words cut to what they say: `please always sign commits, thanks`."""
    from learnloop.learn.hear import wording
    from learnloop.learn.language.words import own_words

    line = workspace.one_line(ws, words)
    own = own_words(line)
    is_one_sentence = len(own.every) == 1 and not own.pasted
    return add(ws, (is_one_sentence and wording.make(line)) or words, scope=scope, project=project)


def _own_lesson(statement: str, ts: str, given: dict[str, Any]) -> Lesson:
    from learnloop.learn.lessons import call_patterns, drafts, meaning, scorer, trigger_words, triggers

    check = call_patterns.derive(statement)
    fields = {
        "status": "active", "kind": "preference", "statement": statement,
        "title": text.cut(statement.rstrip("."), 100), "category": drafts.category_of(statement),
        "confidence": 1.0, "source": "told", "triggers": triggers.derive(statement),
        "check": check, "stops": any(rule.form != "due" for rule in check),
        "reminds": any(rule.form == "due" for rule in check),
        "keywords": trigger_words.content_words(statement),
        "fingerprint": meaning.fingerprint_of(statement, given["scope"], given["project"]),
        "created": ts, "updated": ts, "reviewed_at": ts,
    }  # fmt: skip
    return scorer.with_score(Lesson.model_validate(fields | given))


def decide(ws: Workspace, action: str, lessons: Sequence[Lesson], args: dict[str, Any]) -> Decision:
    """Write a decision without secrets; raises Refused where an agent decides, and as `event_log.decide`."""
    clean_args = workspace.redacted(ws, args)
    lesson_ids = [lesson.id for lesson in lessons]
    agent_guard.check(ws, action, lesson_ids, clean_args)
    return event_log.decide(ws, action, lesson_ids, clean_args)


def _in_state(
    ws: Workspace, ids: str | Sequence[str], *states: str, verb: str, hint: str = ""
) -> list[Lesson]:
    chosen = find_all(ws, ids)
    for lesson in chosen:
        if lesson.status not in states:
            allowed = " and ".join(states)
            way_out = hint or f"only {allowed} lessons can be {verb}; learn undo takes a verdict back"
            raise Refused(f"{_names(ws, [lesson])} is {lesson.status}, so it cannot be {verb}", way_out)
    return chosen


def _names(ws: Workspace, lessons: Sequence[Lesson]) -> str:
    return ", ".join(documents.short(ws.root, lesson.id) for lesson in lessons)


def _sentence(ws: Workspace, statement: str) -> str:
    """A statement on one line; raises Refused where nothing is left of it or it is too long."""
    line = workspace.one_line(ws, statement)
    if not line:
        raise Refused("the statement is empty", "write in one sentence what the agent should do")
    if len(line) > 500:
        raise Refused(f"the statement is {len(line)} characters long", "say it in 500 or less")

    if wrong := hazard_in(ws, line):
        raise Refused(f"statement: {wrong}", "say it in other words")
    return line


_NOTHING = "nothing was changed"


def complete(ws: Workspace, lesson: "Lesson", changes: dict[str, Any]) -> dict[str, Any]:
    """The changes with a content that fits the kind; raises Refused where a field is not valid.

    `content` may have some fields only: the others keep their value, converted where the kind changes.
    """
    before = lesson.as_json()
    new_fields = {**changes, **_content(before, changes)}
    if wrong := trigger_limits.problem(new_fields.get("triggers") or {}):
        raise Refused(f"{wrong[0]}: {wrong[1]}", _NOTHING)
    _refuse_hazards(ws, new_fields)
    if new_fields.keys() & {"statement", "content", "kind"}:
        _refuse_long(ws, {**before, **new_fields})
    return new_fields


def future_day(value: object) -> str | None:
    """A day or time to come as it is stored, None for none; raises Refused for any other value."""
    if not value:
        return None
    ms = clock.parse_ms(value, default=-1)
    if ms < 0:
        raise Refused(f"{str(value)[:40]!r} is no day", "write it as 2027-01-31; nothing was changed")
    if ms <= clock.now_ms():
        raise Refused(f"{str(value)[:40]} is over", "learn edit --archive takes a lesson out of use at once")
    return clock.iso(ms)


def _content(before: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    kind = str(changes.get("kind", before["kind"]))
    if "content" not in changes and kind == before["kind"]:
        return {}
    given, had_none = changes.get("content", {}), is_empty(before.get("content"))
    if given is None or (not given and had_none):
        return {"content": None}
    content = {**({} if had_none else kinds.convert_content(before, kind)), **given}
    content = {name: value for name, value in content.items() if value not in ("", None, (), [])}
    for name, wrong in kinds.problems(kind, content).items():
        raise Refused(f"content.{name}: {wrong}", f"{_NOTHING}; give it with --set content.{name}=…")
    return {"content": kinds.validated_content(kind, content)}


def _refuse_hazards(ws: Workspace, changes: dict[str, Any]) -> None:
    words = ("statement", "title", "description", "example", "counter_example")
    texts = {name: changes[name] for name in words if changes.get(name)}
    texts |= {f"content.{name}": value for name, value in (changes.get("content") or {}).items()}
    is_id = compiling.names(documents.lessons(ws.root))
    for name, value in texts.items():
        for each in value if isinstance(value, list | tuple) else [value]:
            if wrong := sanitize.hazard(str(each), is_id):
                raise Refused(f"{name}: {wrong}", f"{_NOTHING}; say it in other words")


def refuse_triggers(chosen: Iterable["Lesson"]) -> None:
    """Raise Refused for imported lessons whose triggers match everything or nothing."""
    for lesson in chosen:
        if wrong := trigger_limits.problem(lesson.triggers.model_dump()):
            raise Refused(
                f"{shown(lesson.id)}: {wrong[0]}: {wrong[1]}", "change it first: e in learn-tui, learn edit"
            )


def hazard_in(ws: Workspace, statement: str) -> str:
    """A message where a statement imitates an id or markup of the hooks, else empty."""
    return sanitize.hazard(statement, compiling.names(documents.lessons(ws.root)))


def _refuse_long(ws: Workspace, after: dict[str, Any]) -> None:
    room = render.most_characters(ws.settings.budgets.call_tokens) - len(str(after["id"])[:6])
    length = len(kinds.essential_text(after))
    if length > room and after.get("content"):
        raise Refused(
            f"agents would get {length:,} characters, and a call has room for {room:,}",
            "shorten it, or make two lessons of it; nothing was changed",
        )
