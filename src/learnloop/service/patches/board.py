"""All patches: the proposals of today's evidence, changed by what was decided about them."""

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from learnloop.errors import Refused
from learnloop.hosts import agent_files
from learnloop.hosts.agent_files import AgentFile
from learnloop.ingest import instruction_files
from learnloop.learn.lessons.decisions import effective_decisions
from learnloop.models.patch import Patch, PatchTarget
from learnloop.patch import propose
from learnloop.service import id_prefix
from learnloop.service.lessons import documents, rows
from learnloop.service.patches import fact_files
from learnloop.service.workspace import Workspace
from learnloop.store.tinydb_file import public_fields

Doc = dict[str, Any]
_in_file: dict[tuple[str, str, str], bool] = {}
"""Whether a file contains a patch's text, by patch id, block and hash of the file."""
_MOST_CACHED = 100_000


def stored_patches(root: str) -> dict[str, Patch]:
    """The patches that anything was ever decided about, by id."""
    from learnloop.store import repair

    patches = {}
    for key, doc in repair.load(root, "patches").get("patches", {}).items():
        with contextlib.suppress(ValidationError):
            patches[key] = Patch.model_validate(public_fields(doc))
    return patches


class Board:
    """All patches and all prompt files at one moment."""

    def __init__(self, ws: Workspace, projects: Sequence[str] = ()) -> None:
        self.ws = ws
        decided = stored_patches(ws.root)
        proposals = list(_proposals(ws))
        every = (*decided.values(), *proposals)
        self.home = demo_home(ws.root)
        self.hosts = agent_files.used_hosts(self.home)
        self.files = _files([*projects, *(patch.project for patch in every)], self.home)
        self.files += _fact_files(every, {file.real for file in self.files}, self.home)
        self.by_path = {file.path: file for file in self.files}
        self.patches = self._merged(decided, proposals)
        self.without_a_place = [
            patch for patch in proposals if patch.audience == "agents" and not self.candidates(patch)
        ]
        self.by_id = {patch.id: patch for patch in self.patches}
        self.rank = propose.rank_of(self.patches)

    def find(self, patch_id: str) -> Patch:
        """The patch of an id or of a unique beginning of one; raises NotFound or Ambiguous."""
        return self.by_id[
            id_prefix.resolve(patch_id, self.by_id, "patch", "learn patches lists what there is")
        ]

    def find_all(self, ids: Iterable[str]) -> list[Patch]:
        """The patches of ids, each once; raises Refused where there is none, else as `find` does."""
        patches = {patch.id: patch for patch in map(self.find, ids)}
        if not patches:
            raise Refused("no patch was named", "give one id or more, or --all")
        return list(patches.values())

    @cached_property
    def latest_hashes(self) -> dict[str, str]:
        """The hash of each file after its last change by us, by path."""
        targets = (target for patch in self.patches for target in patch.targets if target.sha256_after)
        return {target.path: target.sha256_after for target in sorted(targets, key=lambda target: target.at)}

    def frame_of(self, path: str) -> frozenset[str]:
        """What came into a file with plain lines that are in it."""
        targets = (target for patch in self.patches for target in patch.targets if target.path == path)
        return frozenset().union(*(t.frame for t in targets if t.is_applied))

    def candidates(self, patch: Patch) -> list[AgentFile]:
        """The files that a patch may go into; a repository's agent files are included, but never ticked.

        Plain lines go where they belong, so they have none.
        """
        if patch.is_plain:
            return []
        if patch.audience == "main":
            return [
                file
                for file in self.files
                if file.kind in ("instructions", "rules", "skill") and file.project in ("", patch.project)
            ]
        agents = [file for file in self.files if file.kind == "agent"]
        if patch.audience == "agent":
            return [file for file in agents if file.name == patch.agent]
        mains = [file for file in self.files if file.kind == "instructions" and file.scope == "user"]
        return [*agents, *mains]

    def ticked(self, patch: Patch) -> list[AgentFile]:
        """The files that a patch goes into unless the person says otherwise."""
        files = [file for file in self.candidates(patch) if not file.refusal]
        if patch.audience == "main" and patch.project:
            return _project_main(files, patch.project, self.hosts)
        users = [file for file in files if file.scope == "user"]
        if patch.audience == "main":
            users = [file for file in users if file.kind == "instructions"]
        return users

    def _merged(self, decided: dict[str, Patch], proposals: Sequence[Patch]) -> list[Patch]:
        """The proposals with what was decided about them, and the decided ones that are not proposed now."""
        dismissed = [patch for patch in decided.values() if patch.state == "dismissed"]
        merged: dict[str, Patch] = {}
        for patch in proposals:
            before = decided.get(patch.id)
            if before is not None:
                merged[patch.id] = self._planned(before.with_(
                    targets=before.targets or patch.targets, reason=patch.reason,
                    confidence=patch.confidence, evidence=patch.evidence,
                    evidence_count=patch.evidence_count, quotes=patch.quotes,
                ))  # fmt: skip
            elif not _is_dismissed(patch, dismissed):
                planned = self._planned(patch)
                if planned.targets or self._waits(patch):
                    merged[patch.id] = planned
        for patch in decided.values():
            merged.setdefault(patch.id, self._planned(patch) if patch.state == "proposed" else patch)
        return sorted(
            merged.values(),  # those that can be applied first, then the surest
            key=lambda patch: (
                not patch.targets, -patch.confidence, -patch.evidence_count, patch.created, patch.id,
            ),
        )  # fmt: skip

    def lacks_file(self, patch: Patch) -> bool:
        """Whether the project of a patch for its main agent has no instruction file yet."""
        project = patch.project
        if patch.audience != "main" or not project or (self.home and not project.startswith(f"{self.home}/")):
            return False
        has_one = any(file.project == project and file.kind == "instructions" for file in self.files)
        return not has_one and Path(project).is_dir()

    def _waits(self, patch: Patch) -> bool:
        """Whether a patch without a ticked file is shown: the person could tick, mend or create one."""
        if self.ticked(patch):
            return False
        if self.lacks_file(patch):
            return True
        return any(file.refusal or not _is_in(patch, file) for file in self.candidates(patch))

    def _planned(self, patch: Patch) -> Patch:
        """The patch with a planned target for each ticked file that does not contain it yet."""
        if patch.state == "dismissed":
            return patch
        if patch.is_plain:
            return patch.with_(
                targets=[target for target in patch.targets if not self._is_said(patch, target)]
            )
        present = {target.path for target in patch.targets}
        new = [
            PatchTarget(path=file.path)
            for file in self.ticked(patch)
            if file.path not in present and not _is_in(patch, file)
        ]
        return patch.model_copy(update={"targets": (*patch.targets, *new)}) if new else patch

    def _is_said(self, patch: Patch, target: PatchTarget) -> bool:
        """Whether a file that plain lines never stood in says them already."""
        file = self.by_path.get(target.path)
        return target.state == "planned" and file is not None and _is_in(patch, file)


def offered(ws: Workspace, lesson_ids: Sequence[str]) -> tuple[Patch, str] | None:
    """The proposal to put a lesson that was just kept into files, and into which: `CLAUDE.md of shop`.

    None of several lessons, and where no file would take it.
    """
    stored = documents.lessons(ws.root)
    docs = [stored[name] for name in lesson_ids if name in stored]
    may_be = any(True for _ in propose.from_lessons(docs)) or any(map(propose.is_fact, docs))
    proposals = (
        patch
        for patch in (Board(ws).patches if may_be else ())
        if patch.state == "proposed" and [patch.source_id] == list(lesson_ids) and patch.targets
    )
    patch = next(proposals, None)
    if patch is None:
        return None
    names = dict.fromkeys(os.path.basename(target.path) for target in patch.targets)  # noqa: PTH119
    folder = patch.project.rstrip("/").rpartition("/")[2]
    return patch, ", ".join(names) + (f" of {folder}" if folder else "")


def _is_in(patch: Patch, file: AgentFile) -> bool:
    """Whether a file contains a patch's text; cached by content, because every board needs it again."""
    key = (patch.id, patch.block, file.sha256)
    is_in = _in_file.get(key)
    if is_in is None:
        if len(_in_file) > _MOST_CACHED:
            _in_file.clear()
        is_in = _in_file[key] = propose.said_already(patch, file.text) is not None
    return is_in


def _is_dismissed(patch: Patch, dismissed: Sequence[Patch]) -> bool:
    """Whether a person has dismissed a patch that says the same for the same files."""
    place = patch.audience, patch.agent, patch.project
    same = [other for other in dismissed if (other.audience, other.agent, other.project) == place]
    return len(propose.strongest([patch, *same])) <= len(propose.strongest(same)) if same else False


_ORDER = (
    "CLAUDE.local.md", "CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.override.md", "AGENTS.md", "GEMINI.md",
    "QWEN.md", ".github/copilot-instructions.md",
)  # fmt: skip
"""The instruction files of a project, the person's own before the shared one."""


def _project_main(files: Sequence[AgentFile], project: str, hosts: frozenset[str]) -> list[AgentFile]:
    """The fewest instruction files of a project that all these hosts read; one if none of them reads any.

    One that they all read is enough. Otherwise Claude Code's comes first, then what the most others read.
    """
    by_path = {file.path: file for file in files if file.kind == "instructions" and file.project == project}
    ordered = [by_path[f"{project}/{name}"] for name in _ORDER if f"{project}/{name}" in by_path]
    if shared := [file for file in ordered if hosts <= set(file.readers)]:
        return shared[:1]
    chosen: list[AgentFile] = []
    while reading := [file for file in ordered if hosts & set(file.readers)]:
        claudes = [file for file in reading if "claude" in hosts & set(file.readers)]
        chosen.append((claudes or sorted(reading, key=lambda file: -len(hosts & set(file.readers))))[0])
        hosts -= set(chosen[-1].readers)
    return chosen or ordered[:1]


def demo_home(root: str) -> str:
    """The home folder that a demo brings along, so that nothing of the person's is touched; else empty."""
    home = f"{root}/demo-home"
    return home if Path(home).is_dir() else ""


def _files(projects: Iterable[str], home: str) -> list[AgentFile]:
    by_real_path: dict[str, AgentFile] = {file.real: file for file in agent_files.user_files(home)}
    for project in dict.fromkeys(filter(None, projects)):
        if not home or project.startswith(f"{home}/"):
            for file in agent_files.project_files(project, home):
                by_real_path.setdefault(file.real, _with_stand_in(file))
    return list(by_real_path.values())


def _with_stand_in(file: AgentFile) -> AgentFile:
    """The file with Claude Code among its readers where that loads it in place of its own, or imports it."""
    if file.kind != "instructions" or "claude" in file.readers:
        return file
    is_loaded = instruction_files.is_loaded(file.project, file.path, None)
    return replace(file, readers=("claude", *file.readers)) if is_loaded else file


def _fact_files(patches: Iterable[Patch], known_reals: set[str], home: str) -> list[AgentFile]:
    """The files of plain lines that are there, beside those that agents are known to read."""
    project_by_path = {
        target.path: patch.project or os.path.dirname(target.path)  # noqa: PTH120
        for patch in patches
        if patch.is_plain
        for target in patch.targets
    }
    files = (
        agent_files.fact_file(path, project)
        for path, project in project_by_path.items()
        if os.path.lexists(path) and (not home or path.startswith(f"{home}/"))
    )
    return [file for file in files if file.real not in known_reals]


def _proposals(ws: Workspace) -> list[Patch]:
    from learnloop.service.profile import agent_figures, preferences

    docs, settled = documents.lessons(ws.root), _settled(ws)
    active = list(rows.documents_of(ws, lambda row: row.state == "active"))
    believed = preferences.preferences(ws)
    return propose.strongest(
        [
            *propose.from_lessons(active),
            *propose.from_facts(active, partial(fact_files.file_of, ws.root)),
            *_shared_facts(ws),
            *(
                patch
                for patch in propose.from_themes(agent_figures.performance(ws, own_only=True))
                if patch.id not in settled
            ),
            *propose.from_traits(believed.traits),
            *propose.from_corrections(believed.recurring_corrections, docs),
        ]
    )


def _settled(ws: Workspace) -> set[str]:
    """The proposals that a kept lesson stands for."""
    parts = (
        part
        for decision in effective_decisions(documents.decisions(ws.root))
        if isinstance(also := decision.args.get("also"), dict)
        for part in also.values()
        if isinstance(part, dict)
    )
    return {str(name) for part in parts for name in part.get("patches") or ()}


def _shared_facts(ws: Workspace) -> Iterator[Patch]:
    """The facts for the person's own file, where the settings name one."""
    name = ws.settings.facts.global_file
    if name:
        path = os.path.expanduser(name)  # noqa: PTH111  links stay
        yield from propose.from_shared_facts(
            rows.documents_of(ws, lambda row: row.state in ("active", "draft")), path
        )
