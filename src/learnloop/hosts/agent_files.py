"""The prompt files of agents: in the folders that hosts read, each with its name and description.

Several agents read a file such as AGENTS.md, so it stands in several rows. A host has a second row where it
reads a second folder of the person's. A link to a file is never followed.
"""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from learnloop.errors import LearnloopError, Refused
from learnloop.patch import blocks, prompt_files
from learnloop.wire import env, paths


class Folders(NamedTuple):
    """A host's places, as globs: a person's below `home`, a project's below its root."""

    host: str
    home: str
    """Below the person's home folder."""
    variable: str = ""
    """The environment variable that moves it."""
    agents: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    project_agents: tuple[str, ...] = ()
    project_instructions: tuple[str, ...] = ()
    project_rules: tuple[str, ...] = ()
    project_skills: tuple[str, ...] = ()
    """The folders of skills; only their names and descriptions are read at once."""
    climbs: bool = False
    """Whether the instruction files of the folders above a project are read too."""
    imports: bool = False
    """Whether a line `@FILE` in an instruction file loads that file."""
    first_alone: bool = False
    """Whether only the first of the instruction files is read that is there."""
    stand_ins: tuple[str, ...] = ()
    """Read in a folder where neither it nor one above it has an instruction file of the host's own."""
    stand_ins_since: tuple[int, ...] = ()
    """The oldest version of the client that was seen to read those."""


SHARED = ".agents"
"""A folder of no host's own, in projects and in the person's home."""
HOSTS = (
    Folders(
        "claude", ".claude", "CLAUDE_CONFIG_DIR",
        agents=("agents/**/*.md",),
        instructions=("CLAUDE.md",),
        rules=("rules/**/*.md",),
        project_agents=(".claude/agents/**/*.md",),
        project_instructions=("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"),
        project_rules=(".claude/rules/**/*.md",),
        project_skills=(".claude",),
        climbs=True,
        imports=True,
        stand_ins=("AGENTS.md",),
        stand_ins_since=(2, 1, 329),  # 2.1.197 reads none
    ),
    Folders(
        "codex", ".codex", "CODEX_HOME",
        agents=("agents/*.toml",),
        instructions=("AGENTS.override.md", "AGENTS.md"),
        project_agents=(".codex/agents/*.toml",),
        project_instructions=("AGENTS.override.md", "AGENTS.md"),
        project_skills=(SHARED, ".codex"),
        climbs=True,
        first_alone=True,
    ),
    Folders(
        "gemini", ".gemini",
        agents=("agents/*.md",),
        instructions=("GEMINI.md",),
        project_agents=(".gemini/agents/*.md",),
        project_instructions=("GEMINI.md",),
        project_skills=(".gemini", SHARED),
        climbs=True,
        imports=True,
    ),
    Folders(
        "qwen", ".qwen",
        agents=("agents/*.md",),
        instructions=("QWEN.md",),
        project_agents=(".qwen/agents/*.md",),
        project_instructions=("QWEN.md", "AGENTS.md"),
        project_skills=(".qwen", SHARED),
        climbs=True,
        imports=True,
    ),
    Folders(
        "cursor", ".cursor",  # by its documents; it was not run
        agents=("agents/*.md",),
        project_agents=(".cursor/agents/*.md",),
        project_instructions=("AGENTS.md", ".cursorrules"),
        project_rules=(".cursor/rules/**/*.mdc",),
        project_skills=(".cursor", SHARED, ".claude", ".codex"),
    ),
    Folders(
        "copilot", ".copilot", "COPILOT_HOME",
        agents=("agents/*.agent.md",),
        instructions=("copilot-instructions.md",),
        project_agents=(".github/agents/*.md",),
        project_instructions=("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"),
        project_rules=(".github/instructions/**/*.instructions.md",),
        project_skills=(SHARED, ".claude", ".github"),
    ),
    Folders(
        "opencode", ".config/opencode",
        agents=("agents/**/*.md", "agent/**/*.md"),
        instructions=("AGENTS.md",),
        project_agents=(".opencode/agents/**/*.md", ".opencode/agent/**/*.md"),
        project_instructions=("AGENTS.md",),
        project_skills=(".opencode", SHARED, ".claude"),
    ),
    Folders(
        "droid", ".factory",
        agents=("droids/*.md",),
        instructions=("AGENTS.md",),
        project_agents=(".factory/droids/*.md",),
        project_instructions=("AGENTS.md", "CLAUDE.md"),
        project_skills=(".factory", SHARED),
    ),
    Folders("droid", SHARED, instructions=("AGENTS.md",)),
    Folders("cline", ".cline", project_instructions=("AGENTS.md",)),
    Folders("cline", SHARED, instructions=("AGENTS.md",)),
    Folders("cline", "Documents/Cline", rules=("Rules/*.md",)),
)  # fmt: skip


def project_folder(project: str) -> str:
    """The name of a project below Claude Code's `projects`, which has a dash for each odd unit of UTF-16."""
    return re.sub(r"[^A-Za-z0-9]", lambda found: "--" if found[0] > "\uffff" else "-", project)


Scope = Literal["user", "project"]
Kind = Literal["agent", "instructions", "rules", "skill", "facts"]

MOST = 2000
"""The most files read in one folder; a folder with more is no folder of agents."""
_LONGEST_NAME = 128
_BAD_NAME = re.compile(r"[/\\\x00-\x1f\x7f]|^\.|\.\.|^~|^[A-Za-z]:")
_FIELD = re.compile(r"^(name|description|tools|model):[ \t]*(.*)$")


_LISTED = (
    "path", "host", "scope", "kind", "project", "name", "description", "tools", "model", "writable",
    "refusal", "readers",
)  # fmt: skip


@dataclass(frozen=True)
class AgentFile:
    """A prompt file, with its text where it could be read."""

    path: str
    real: str
    host: str
    scope: Scope
    kind: Kind
    project: str = ""
    name: str = ""
    """An agent's name; for other kinds the file's name."""
    description: str = ""
    tools: str = ""
    model: str = ""
    writable: bool = False
    refusal: str = ""
    """Why it cannot be patched; empty where it can."""
    text: str = ""
    sha256: str = ""
    readers: tuple[str, ...] = ()
    """The hosts that read it, the first one being `host`."""

    @property
    def blocks(self) -> list[blocks.Piece]:
        """The blocks in it that Learnloop wrote."""
        return blocks.blocks(self.text)

    def as_json(self) -> dict[str, object]:
        """The fields of a listing; blocks as `[{id, intact}]`."""
        blocks_ = [{"id": block.id, "intact": block.intact} for block in self.blocks]
        return {**{name: getattr(self, name) for name in _LISTED}, "blocks": blocks_}


class _Place(NamedTuple):
    """A file that a host reads, not opened yet."""

    path: str
    host: str
    scope: Scope
    kind: Kind
    project: str
    inside: list[str]


def check_name(name: str) -> str:
    """The name, where no path can hide in it; raises Refused for any other."""
    if not name or len(name) > _LONGEST_NAME or _BAD_NAME.search(name):
        raise Refused(
            f"{name[:60]!r} is no name of an agent", "a name has no separators and no dots before it"
        )
    return name


def user_files(home: str = "") -> list[AgentFile]:
    """The person's own prompt files of every host; `home` is another home folder, for demos."""
    return _once(
        place
        for host in HOSTS
        for place in _in_folder(
            host, "user", _home_of(host, home), "", (host.agents, host.instructions, host.rules)
        )
    )


def used_hosts(home: str = "") -> frozenset[str]:
    """The hosts that have a folder in the person's home."""
    rows = (host for host in HOSTS if host.home != SHARED)
    return frozenset(host.host for host in rows if Path(_home_of(host, home)).is_dir())


def project_files(project: str, home: str = "") -> list[AgentFile]:
    """The prompt files of a project, and the instruction files of the folders above it."""
    return _once(place for host in HOSTS for place in _of_project(host, project, home or paths.home()))


def fact_file(path: str, project: str) -> AgentFile:
    """A file of a project that holds facts, or the line that makes agents read them."""
    return _file(_Place(path, "", "project", "facts", project, [os.path.realpath(project)]), ())


def folders_of(file: AgentFile, home: str = "") -> list[str]:
    """The folders that a file's real place must be in."""
    if file.scope == "project":
        return [os.path.realpath(file.project)]
    return [os.path.realpath(_home_of(host, home)) for host in HOSTS if host.host == file.host]


def _home_of(host: Folders, home: str) -> str:
    """Where a host keeps a person's files; the environment counts only for the real home folder."""
    named = env.get(host.variable) if host.variable and not home else None
    return named if named and named.startswith("/") else f"{home or paths.home()}/{host.home}"


def _of_project(host: Folders, project: str, home: str) -> Iterator[_Place]:
    skills = tuple(f"{folder}/skills/*/SKILL.md" for folder in host.project_skills)
    shared = (host.project_agents, host.project_instructions, host.project_rules, skills)
    yield from _in_folder(host, "project", project, project, shared)
    folder = project.rpartition("/")[0]
    while host.climbs and folder.startswith(home + "/"):
        yield from _in_folder(host, "project", folder, folder, ((), host.project_instructions, ()))
        folder = folder.rpartition("/")[0]


def _in_folder(
    host: Folders, scope: Scope, base: str, project: str, patterns: tuple[tuple[str, ...], ...]
) -> Iterator[_Place]:
    """The files below a folder that match the patterns of each kind."""
    inside = [os.path.realpath(base)]
    for kind, globs in zip(get_args(Kind), patterns, strict=False):
        most = 1 if kind == "instructions" and host.first_alone else None
        for path in islice(_matching(base, globs), most):
            yield _Place(path, host.host, scope, kind, project, inside)


def _matching(base: str, patterns: Iterable[str]) -> Iterator[str]:
    for pattern in patterns:
        if "*" in pattern:
            yield from sorted(map(str, islice(Path(base).glob(pattern), MOST)))
        elif os.path.lexists(f"{base}/{pattern}"):
            yield f"{base}/{pattern}"


def _file(place: _Place, readers: tuple[str, ...]) -> AgentFile:
    path, host, scope, kind, project, inside = place
    stem, real = _stem(path, kind), os.path.realpath(path)
    try:
        opened = prompt_files.read(path, inside)
    except LearnloopError as error:
        return AgentFile(
            path, real, host, scope, kind, project, name=stem, refusal=error.message, readers=readers
        )
    fields = front_matter(opened.text)
    refusal = ""
    name = fields.get("name") or stem if kind == "agent" else stem
    try:
        if kind == "agent":
            check_name(name)
        blocks.front_matter_end(opened.text)
    except Refused as error:
        name, refusal = stem, f"{path}: {error.message}"
    can = prompt_files.writable(real)
    return AgentFile(
        path, real, host, scope, kind, project, name, fields.get("description", ""), fields.get("tools", ""),
        fields.get("model", ""), can, refusal or ("" if can else f"{path} cannot be written"), opened.text,
        opened.sha256, readers,
    )  # fmt: skip


def _stem(path: str, kind: Kind) -> str:
    """What a file is called: a skill after its folder, an agent without its ending."""
    name = Path(path).parent.name if kind == "skill" else Path(path).name
    return name.removesuffix(".md").removesuffix(".agent") if kind == "agent" else name


def front_matter(text: str) -> dict[str, str]:
    """Name, description, tools and model from the front matter, each on one line; {} where there is none."""
    try:
        end = blocks.front_matter_end(text)
    except Refused:
        return {}
    fields: dict[str, str] = {}
    key = ""
    for line in text[:end].split("\n")[1:]:
        if line.startswith("---"):
            break
        field = _FIELD.match(line.rstrip())
        if field:
            key = field[1]
            fields[key] = "" if field[2] in ("|", ">", "|-", ">-") else field[2].strip().strip("\"'")
        elif key and line[:1] in (" ", "\t", "-"):
            more = line.strip().removeprefix("- ").strip()
            fields[key] = f"{fields[key]}{', ' if key == 'tools' and fields[key] else ' '}{more}".strip()
        else:
            key = ""
    return fields


def _once(places: Iterable[_Place]) -> list[AgentFile]:
    """Each file once by its real path, with all its readers; the first name counts."""
    by_real: dict[str, list[_Place]] = {}
    for place in places:
        by_real.setdefault(os.path.realpath(place.path), []).append(place)
    return [_file(same[0], tuple(dict.fromkeys(place.host for place in same))) for same in by_real.values()]
