"""Fills a store with some weeks of made-up work, through the path that real events take."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from learnloop.demo import stage
from learnloop.demo.stage import DAY_MS, HOME, stable_id
from learnloop.errors import Refused
from learnloop.learn.experiments import replay
from learnloop.learn.lessons import call_patterns, meaning, triggers
from learnloop.models import ids
from learnloop.models.decision import DecisionPlace
from learnloop.models.experiment import HELD_OUT, TOLD, Experiment, Variant
from learnloop.models.patch import Patch
from learnloop.patch import blocks, prompt_files
from learnloop.service.lessons import documents
from learnloop.service.patches import patches
from learnloop.service.recall import explain
from learnloop.service.workspace import Workspace, ingest, open_workspace
from learnloop.store import files as store_files
from learnloop.store import seal
from learnloop.wire import clock, event, paths, payload_fields, session_recalls

FOLDER = "demo-home"


def patch_files(ws: Workspace, at_ms: int) -> Iterator[dict[str, Any]]:
    """Write the files; yields the decisions about patches: one applied, one dismissed.

    Patches of the demo change these files, never the person's own. One block was edited by hand.
    """
    _write_files(Path(ws.root, FOLDER, ".claude"))
    proposed = [patch for patch in patches.listing(ws, "proposed") if patch.audience == "agents"]
    ts = clock.iso(at_ms)
    for patch in proposed[:1]:
        applied = _applied(ws.root, patch, ts)
        results = [{"patch": patch.id, "path": target.path, "did": "applied"} for target in applied.targets]
        yield {"did": "apply", "patches": [applied.as_json()], "results": results}
        _edit_by_hand(Path(ws.root, FOLDER, ".claude", "agents", "reviewer.md"))
    for patch in proposed[-1:]:
        dismissed = patch.with_(
            state="dismissed", reason_dismissed="recall is enough", targets=(), updated=ts
        )
        yield {"did": "dismiss", "patches": [dismissed.as_json()], "reason": "recall is enough"}


def _write_files(base: Path) -> None:
    files = stage.table("prompt_files")
    for name, (description, tools, body) in files["agents"].items():
        head = f"---\nname: {name}\ndescription: {description}\ntools: {tools}\n---\n# {name.title()}\n\n"
        store_files.replace(base / "agents" / f"{name}.md", [(head + body).encode()])
    store_files.replace(base / "CLAUDE.md", [files["instructions"].encode()])


def _applied(root: str, patch: Patch, ts: str) -> Patch:
    """The patch in all its files, each with a backup."""
    targets = []
    for target in patch.targets:
        file = Path(target.path)
        before = file.read_bytes()
        after = blocks.insert(before.decode(), patch.id, patch.block, patch.placement).encode()
        store_files.replace(prompt_files.backups(root) / prompt_files.sha256(before), [before])
        file.write_bytes(after)
        targets.append(target.with_(
            state="applied", real=str(file.resolve()), at=ts, by="console", mode=paths.FILE_MODE,
            backup=prompt_files.sha256(before), sha256_before=prompt_files.sha256(before),
            sha256_after=prompt_files.sha256(after),
        ))  # fmt: skip
    return patch.with_(state="active", targets=tuple(targets), updated=ts)


def _edit_by_hand(file: Path) -> None:
    lines = file.read_text("utf-8").split("\n")
    at = next(at for at, line in enumerate(lines) if line.startswith("- ") and "<!-- learnloop:" in line)
    lines[at] = lines[at].replace(" <!--", " Except in scripts. <!--", 1)
    file.write_text("\n".join(lines), "utf-8")


Verdict = tuple[str, str, dict[str, Any]]
"""Action, lesson id and the action's arguments."""


class _HoldoutScene(NamedTuple):
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


def _trial_decisions(trial: _HoldoutScene, ms: int) -> Iterator[Verdict]:
    """The lesson is stated, and held out."""
    yield stated_rule(trial.statement, ms, lesson_id=trial.lesson_id, project=f"{stage.HOME}/{trial.project}")
    design = trial.experiment
    step = {"do": "start", "id": design.id, "name": design.name, "design": design.as_json()}
    yield "experiment", trial.lesson_id, {"experiment": step}


def play_trial(trial: _HoldoutScene, now_ms: int) -> Iterator[stage.Record]:
    """The sessions of an experiment, by the variant that a hook would draw for each."""
    drawn = replay.by_lesson([trial.experiment])[trial.lesson_id]
    seen = {TOLD: 0, HELD_OUT: 0}
    first, last = trial.days
    for at in range(trial.sessions):
        hours = 24 * (first - 1) - 24 * (first - 1 - last) * at // trial.sessions
        days, hour = divmod(hours, 24)
        arm = session_recalls.arm(drawn, stage.session_id(trial.project, days, hour))[1]
        seen[arm] += 1
        often = trial.again[arm == HELD_OUT]
        is_again = seen[arm] * often % 10 < often
        text = _trial_session(trial, days, hour, at, is_again=is_again)
        for session in stage.play(text, now_ms, partial(_receipt, trial, arm)):
            yield from session


def _receipt(
    trial: _HoldoutScene, arm: str, payload: dict[str, Any], _: str, __: str
) -> list[dict[str, Any]]:
    is_moment = str(payload.get("prompt", "")).startswith(trial.task.partition("{")[0])
    item = {"id": trial.lesson_id, "score": 80, "trial": trial.experiment.id, "arm": arm}
    return [item] if is_moment else []


def _trial_session(trial: _HoldoutScene, days: int, hours: int, at: int, *, is_again: bool) -> str:
    things = stage.table("trial_things")
    thing = things[at % len(things)]
    word = thing.replace(" ", "-")
    lines = [
        f"== {trial.project} {days} {hours}", f"> {trial.task.format(thing)}",
        f"$ {trial.unwanted if is_again else trial.wanted} {word}", f". The {thing} works.",
        *((f"> {trial.correction}", ". All right.") if is_again else ("> Perfect, thank you!", ". Fine.")),
        "# bye",
    ]  # fmt: skip
    return "\n".join(lines)


def _discoveries(now_ms: int) -> Iterator[dict[str, Any]]:
    """The events of `learn discover`, each of a session of its own."""
    for number, discovery in enumerate(stage.table("discoveries")):
        ms, folder = now_ms - discovery["days"] * DAY_MS - 3_600_000, f"{HOME}/{discovery['project']}"
        yield event.record(
            "discovery", host="claude", session_id=f"found-{number}", cwd=folder, project=folder,
            payload={**discovery["fields"], "agent": discovery["agent"]}, ts_ms=ms,
            event_id=stable_id(ms, "discovery", number),
        )  # fmt: skip


def _from_export(ms: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The `add` verdicts of a colleague's export: action, lesson id and arguments."""
    ts = clock.iso(ms)
    for project, statement, quote in map(dict.values, stage.table("export")):
        lesson_id = ids.draft_id(stable_id(ms, statement), "import")
        yield "add", lesson_id, {"lesson": {
            "id": lesson_id, "kind": "preference", "statement": statement, "title": statement.rstrip("."),
            "project": f"{HOME}/{project}", "confidence": 0.8, "source": "import", "trust": "external",
            "evidence": [{"quote": quote, "session_id": "import", "event_id": "", "ts": ts}],
            "fingerprint": lesson_id, "created": ts, "updated": ts,
        }}  # fmt: skip


def _from_tools(ms: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The `add` verdicts of other tools' items."""
    from learnloop.learn.hear import wording
    from learnloop.learn.lessons import scorer
    from learnloop.learn.offers import knowledge
    from learnloop.learn.offers.plain_yaml import YamlMapping

    for source, project, words, place in map(dict.values, stage.table("other_tools")):
        origin = knowledge.Origin(
            event_id=stable_id(ms, source), ts=clock.iso(ms), rule=source, project=f"{HOME}/{project}",
            quote=words, trust="external",
        )  # fmt: skip
        fields = {"statement": wording.make(words) or words, "confidence": "0.7"}
        lesson = knowledge.lesson_from_block(YamlMapping(fields), origin)
        lesson = scorer.with_score(lesson.with_(kind="preference", context=f"From /home/robin/{place}."))
        yield "add", lesson.id, {"lesson": lesson.as_json()}


def _subagent_scene() -> str:
    """The sessions of subagents in the notation of `stage`, the oldest of each agent first.

    How each ended: good, bad, interrupted, or without a word (u, n).
    """
    return "\n".join(
        _subagent_session(agent, work, at)
        for agent, work in stage.table("agents").items()
        for at in range(len(work[-1]))
    )


def _subagent_session(agent: str, work: list[str], at: int) -> str:
    project, task, file, claim, outcomes = work
    things = stage.table("things")
    thing, days = things[at % len(things)], 27 - 26 * at // len(outcomes)
    return "\n".join([
        f"== {project} {days} {9 + at % 7}", f"> {task.format(thing)}", f"@ {agent}",
        f"e {file.format(thing)}", *_subagent_lines(outcomes[at], at, thing, claim.format(thing)),
    ])  # fmt: skip


def _subagent_lines(how: str, at: int, thing: str, claim: str) -> Iterator[str]:
    if how == "i":
        yield from ("~", "# gone")
        return
    yield from (f"- {claim}", f". {claim}")
    if how in "gb":
        words = stage.table("good" if how == "g" else "bad")
        yield from (f"> {words[at % len(words)].format(thing)}", ". All right.")
    yield "# bye"


def on_lessons(ws: Workspace, verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
    """The verdicts of a table, with the id of each lesson in place of its words."""
    return ((action, _lesson_of(ws, quote), args) for action, quote, args in verdicts)


def stated(ms: int) -> Iterator[Verdict]:
    """The rules that were stated, with ids that are the same at every run."""
    return (stated_rule(rule, ms) for rule in stage.table("stated"))


def stated_rule(rule: str, ms: int, *, lesson_id: str = "", project: str = "") -> Verdict:
    """The verdict that states a rule, for all projects or for one."""
    ts, lesson_id = clock.iso(ms), lesson_id or ids.draft_id(rule, "told")
    scope = "project" if project else "global"
    return "add", lesson_id, {"lesson": {
        "id": lesson_id, "status": "active", "kind": "preference", "statement": rule, "scope": scope,
        "project": project, "title": rule.rstrip("."), "confidence": 1.0, "source": "told", "created": ts,
        "updated": ts, "fingerprint": meaning.fingerprint_of(rule, scope, project),
        "reviewed_at": ts, "triggers": triggers.derive(rule).model_dump(mode="json"),
        "check": [each.as_json() for each in call_patterns.derive(rule)],
    }}  # fmt: skip


def _lesson_of(ws: Workspace, quote: str) -> str:
    """The id of the lesson with these words in its evidence."""
    for lesson_id, doc in documents.lessons(ws.root).items():
        if any(quote in evidence["quote"] for evidence in doc.get("evidence", ())):
            return lesson_id
    raise Refused(f"the demo has no lesson from {quote!r}", "its scenes and its verdicts do not match")


_PLACE = DecisionPlace(terminal="demo", attended=True)


def seed(root: str, *, now_ms: int | None = None) -> None:
    """Fill an empty root with sessions, drafts, lessons in every state, receipts and faults.

    Events are appended as hooks would, ingested, decided on and published; all times lie before `now_ms`.
    Raises Refused where the root cannot be written.
    """
    ws, now = open_workspace(root, by="console"), clock.now_ms() if now_ms is None else now_ms
    known, begun = (_HoldoutScene(**trial) for trial in stage.table("trials"))
    _experiment(ws, known, now)
    _play(ws, now, stage.scene("earlier"), _subagent_scene())
    ingest(ws, wait_s=10.0)
    _decide(ws, now - 10 * DAY_MS, on_lessons(ws, stage.table("first_verdicts")))
    _play(ws, now, stage.scene("traits"), stage.scene("blocks"), recalling=stage.scene("later"))
    _append(ws, list(_discoveries(now)))
    _experiment(ws, begun, now)
    unusable = {"event": "PostToolBatch", "error": "ValueError: tool_calls is no list", "bytes": 2_204}
    _append(ws, [_record(now - 2 * DAY_MS, "hook_error", "trouble", stage.HOST, "", unusable)])
    with open(paths.journal(root), "ab") as file:  # noqa: PTH123
        file.write(b'\n{"v":1,"id":"0198c0ffee00","ts":"2025-07-0\n')  # as a killed process leaves it
    at = now - 5 * DAY_MS
    _decide(ws, at, [*_from_export(at), *_from_tools(at)])
    _decide(ws, now - DAY_MS, on_lessons(ws, stage.table("later_verdicts")))
    _decide(ws, now - DAY_MS // 2, stated(now - DAY_MS // 2))
    _play(ws, now, recalling=stage.scene("this_hour"))
    at = now - DAY_MS // 3
    _decide(ws, at, (("patch", "", args) for args in patch_files(ws, at)))


def _play(ws: Workspace, now: int, *scenes: str, recalling: str = "") -> None:
    """Append the events of scenes by time; lessons are recalled only in the one that is `recalling`."""
    sessions = [session for scene in scenes for session in stage.play(scene, now)]
    if recalling:
        sessions += stage.play(recalling, now, _receipts(ws))
    _append(ws, sorted((record for session in sessions for record in session), key=itemgetter("ts")))


def _experiment(ws: Workspace, trial: _HoldoutScene, now: int) -> None:
    """Start an experiment and play its sessions."""
    at = now - trial.days[0] * DAY_MS
    _decide(ws, at, _trial_decisions(trial, at))
    _append(ws, list(play_trial(trial, now)))


def _append(ws: Workspace, records: list[stage.Record]) -> None:
    if not seal.append(ws.root, records):
        raise Refused(f"{ws.root} cannot be written", "check free space and permissions")


def _decide(ws: Workspace, at_ms: int, verdicts: Iterable[Verdict]) -> None:
    """Write verdicts as the console does, some seconds after each other."""
    records = [
        _record(ms, "decision", f"{action} {lesson_id}", "learnloop", ws.by, {
            "action": action, "lesson_ids": [lesson_id] if lesson_id else [], "args": args, "by": ws.by,
            "door": ws.by, "place": _PLACE.as_json(),
        })
        for ms, (action, lesson_id, args) in zip(count(at_ms, 20_000), verdicts, strict=False)
    ]  # fmt: skip
    _append(ws, records)
    ingest(ws, wait_s=10.0)


def _record(
    ms: int, kind: str, name: str, host: str, session_id: str, payload: dict[str, Any]
) -> stage.Record:
    """An event at a set time, with an id that is the same at every run."""
    return event.record(
        kind, host=host, session_id=session_id, cwd="", project="", payload=payload, ts_ms=ms,
        event_id=stage.stable_id(ms, kind, name),
    )  # fmt: skip


def _receipts(ws: Workspace) -> stage.Receipts:
    """A function of the lessons that hooks would recall at a payload, each once a session."""
    shown: set[tuple[str, str, str]] = set()
    last_prompt: dict[str, str] = {}

    def receipts(payload: dict[str, Any], project: str, session: str) -> list[dict[str, Any]]:
        name = payload["hook_event_name"]
        if name == "UserPromptSubmit" and not payload_fields.machine(payload["prompt"]):
            last_prompt[session] = payload["prompt"]
            explained = explain.explain(ws, prompt=payload["prompt"], project=project)
        elif name == "PreToolUse":
            explained = explain.explain(
                ws, tool=payload_fields.tool_name(payload), file=payload_fields.tool_file(payload) or None,
                command=payload_fields.tool_command(payload) or None, prompt=last_prompt.get(session),
                project=project,
            )  # fmt: skip
        else:
            return []
        recalled = [lesson for lesson in explained if lesson.told and (session, name, lesson.id) not in shown]
        shown.update((session, name, lesson.id) for lesson in recalled)
        return [{"id": lesson.id, "score": lesson.final} for lesson in recalled]

    return receipts
