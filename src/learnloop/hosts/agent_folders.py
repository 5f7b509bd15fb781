"""Where each agent keeps its prompt files, as measured: agent_files reads these rows.

Several agents read a file such as AGENTS.md, so it stands in several rows. A host has a second row where it
reads a second folder of the person's. A link to a file is never followed.
"""

import re
from typing import NamedTuple


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
