"""Patches as they stand: proposals of today's evidence, with what was decided about them laid over."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from learnloop.errors import Refused
from learnloop.hosts import agent_files
from learnloop.hosts.agent_files import AgentFile
from learnloop.models.patch import Patch, PatchTarget
from learnloop.patch import propose
from learnloop.patch.carried import carried
from learnloop.service import id_prefix
from learnloop.service.lessons import documents, rows

if TYPE_CHECKING:
    from learnloop.service.workspace import Workspace

Doc = dict[str, Any]
_Kept = tuple[tuple[object, ...], list[Patch]]
_said: dict[tuple[str, str, str], bool] = {}
_MOST_SAID = 100_000


def stored(root: str) -> dict[str, Patch]:
    """The patches that anything was ever decided about, by id."""
    from learnloop.store import repair

    docs = dict(repair.load(root, "patches").get("patches", {}))
    for decision in documents.pending(root):
        docs |= {doc["id"]: doc for doc in carried(decision.args)}
    return {patch.id: patch for patch in _valid(docs.values())}


def _valid(docs: Iterable[Doc]) -> Iterator[Patch]:
    for doc in docs:
        try:
            yield Patch.model_validate({name: value for name, value in doc.items() if name[0] != "_"})
        except ValidationError:
            continue


class Board:
    """All patches and all prompt files at one moment."""

    def __init__(self, ws: "Workspace", projects: Sequence[str] = ()) -> None:
        self.ws = ws
        known = stored(ws.root)
        found = list(_proposals(ws))
        wanted = [*projects, *(patch.project for patch in (*known.values(), *found))]
        self.home = demo_home(ws.root)
        self.files = _files(wanted, self.home)
        self.by_path = {one.path: one for one in self.files}
        self.patches = self._laid_over(known, found)
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

    def candidates(self, patch: Patch) -> list[AgentFile]:
        """The files that a patch is meant for; a repository's agent files are among them, never ticked."""
        if patch.audience == "main":
            return [one for one in self.files if one.kind != "agent" and one.project in ("", patch.project)]
        agents = [one for one in self.files if one.kind == "agent"]
        if patch.audience == "agent":
            return [one for one in agents if one.name == patch.agent]
        mains = [one for one in self.files if one.kind == "instructions" and one.scope == "user"]
        return [*agents, *mains]

    def ticked(self, patch: Patch) -> list[AgentFile]:
        """The files that a patch goes into unless the person says otherwise."""
        found = [one for one in self.candidates(patch) if not one.refusal]
        if patch.audience == "main" and patch.project:
            return _project_main(found, patch.project)
        if patch.audience == "main":
            return [one for one in found if one.scope == "user" and one.kind == "instructions"]
        return [one for one in found if one.scope == "user"]

    def _laid_over(self, known: dict[str, Patch], found: Sequence[Patch]) -> list[Patch]:
        dismissed = [patch for patch in known.values() if patch.state == "dismissed"]
        made: dict[str, Patch] = {}
        for patch in found:
            before = known.get(patch.id)
            if before is not None:
                made[patch.id] = self._planned(before.with_(
                    reason=patch.reason, confidence=patch.confidence, evidence=patch.evidence,
                    evidence_count=patch.evidence_count, quotes=patch.quotes,
                ))  # fmt: skip
            elif not _is_dismissed(patch, dismissed):
                planned = self._planned(patch)
                if planned.targets or self._waits(patch):
                    made[patch.id] = planned
        for patch in known.values():
            made.setdefault(patch.id, self._planned(patch) if patch.state == "proposed" else patch)
        return sorted(made.values(), key=_order)

    def _waits(self, patch: Patch) -> bool:
        """Whether a patch without a ticked file is told all the same: the person could tick or mend one."""
        if self.ticked(patch):
            return False
        return any(one.refusal or not _says(patch, one) for one in self.candidates(patch))

    def _planned(self, patch: Patch) -> Patch:
        """With a planned target for each ticked file that does not say it yet."""
        if patch.state == "dismissed":
            return patch
        present = {target.path for target in patch.targets}
        new = [
            PatchTarget(path=one.path)
            for one in self.ticked(patch)
            if one.path not in present and not _says(patch, one)
        ]
        return patch.model_copy(update={"targets": (*patch.targets, *new)}) if new else patch


def _order(patch: Patch) -> tuple[bool, float, int, str, str]:
    """What can be applied first, then the most confident."""
    return not patch.targets, -patch.confidence, -patch.evidence_count, patch.created, patch.id


def _says(patch: Patch, file: AgentFile) -> bool:
    """Whether a file says it already; kept by content, because the same is asked at every look."""
    key = (patch.id, patch.block, file.sha256)
    found = _said.get(key)
    if found is None:
        if len(_said) > _MOST_SAID:
            _said.clear()
        found = _said[key] = propose.said_already(patch, file.text) is not None
    return found


def _is_dismissed(patch: Patch, dismissed: Sequence[Patch]) -> bool:
    """Whether a person has turned down what says the same for the same files."""
    place = patch.audience, patch.agent, patch.project
    same = [one for one in dismissed if (one.audience, one.agent, one.project) == place]
    return len(propose.strongest([patch, *same])) <= len(propose.strongest(same)) if same else False


def _project_main(found: Sequence[AgentFile], project: str) -> list[AgentFile]:
    """The one instruction file of a project that suits best: the person's own before the shared one."""
    order = ("CLAUDE.local.md", "CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md")
    by_path = {one.path: one for one in found if one.kind == "instructions" and one.project == project}
    return next(([by_path[f"{project}/{name}"]] for name in order if f"{project}/{name}" in by_path), [])


def demo_home(root: str) -> str:
    """The home folder that a demo brings along, so that nothing of the person's is touched; else empty."""
    found = f"{root}/demo-home"
    return found if Path(found).is_dir() else ""


def _files(projects: Iterable[str], home: str) -> list[AgentFile]:
    found: dict[str, AgentFile] = {one.real: one for one in agent_files.user_files(home)}
    for project in dict.fromkeys(filter(None, projects)):
        if not home or project.startswith(f"{home}/"):
            for one in agent_files.project_files(project, home):
                found.setdefault(one.real, one)
    return list(found.values())


def _proposals(ws: "Workspace") -> list[Patch]:
    """What the evidence of today would make, each once."""
    from learnloop.service.profile import agent_figures, preferences

    docs = documents.lessons(ws.root)
    believed = preferences.preferences(ws)
    findings = [
        *propose.from_lessons(rows.documents_of(ws, lambda row: row.state == "active")),
        *propose.from_themes(agent_figures.performance(ws)),
        *propose.from_traits(believed.traits),
        *propose.from_corrections(believed.recurring_corrections, docs),
    ]
    return propose.strongest(finding.as_patch() for finding in findings)
