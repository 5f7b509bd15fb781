"""Where each agent keeps its prompt files: one row a host; agent_files reads them.

A link to a file is never followed; a line `@FILE` in a file that is read loads that file too.
"""

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
    climbs: bool = False
    """Whether the instruction files of the folders above a project are read too."""
    stand_ins: tuple[str, ...] = ()
    """Read in a folder where neither it nor one above it has an instruction file of the host's own."""
    stand_ins_since: tuple[int, ...] = ()
    """The oldest version of the client that was seen to read those."""


HOSTS = (
    Folders(
        "claude", ".claude", "CLAUDE_CONFIG_DIR",
        agents=("agents/**/*.md",),
        instructions=("CLAUDE.md",),
        rules=("rules/**/*.md",),
        project_agents=(".claude/agents/**/*.md",),
        project_instructions=("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"),
        project_rules=(".claude/rules/**/*.md",),
        climbs=True,
        stand_ins=("AGENTS.md",),
        stand_ins_since=(2, 1, 329),  # 2.1.197 reads none
    ),
    Folders(
        "codex", ".codex", "CODEX_HOME",
        agents=("agents/*.toml",),
        instructions=("AGENTS.md", "AGENTS.override.md"),
        project_agents=(".codex/agents/*.toml",),
        project_instructions=("AGENTS.md", "AGENTS.override.md"),
        climbs=True,
    ),
    Folders(
        "gemini", ".gemini",
        agents=("agents/*.md",),
        instructions=("GEMINI.md",),
        project_agents=(".gemini/agents/*.md",),
        project_instructions=("GEMINI.md",),
        climbs=True,
    ),
    Folders(
        "qwen", ".qwen",
        agents=("agents/*.md",),
        instructions=("QWEN.md",),
        project_agents=(".qwen/agents/*.md",),
        project_instructions=("QWEN.md",),
        climbs=True,
    ),
    Folders(
        "cursor", ".cursor",
        agents=("agents/*.md",),
        project_agents=(".cursor/agents/*.md",),
        project_instructions=(".cursorrules",),
        project_rules=(".cursor/rules/**/*.mdc",),
    ),
    Folders(
        "copilot", ".copilot", "COPILOT_HOME",
        agents=("agents/*.agent.md",),
        instructions=("copilot-instructions.md",),
        project_agents=(".github/agents/*.md",),
        project_instructions=(".github/copilot-instructions.md",),
        project_rules=(".github/instructions/**/*.instructions.md",),
    ),
    Folders(
        "opencode", ".config/opencode",
        agents=("agents/**/*.md", "agent/**/*.md"),
        instructions=("AGENTS.md",),
        project_agents=(".opencode/agents/**/*.md", ".opencode/agent/**/*.md"),
    ),
    Folders(
        "droid", ".factory",
        agents=("droids/*.md",),
        instructions=("AGENTS.md",),
        project_agents=(".factory/droids/*.md",),
    ),
)  # fmt: skip
"""Most hosts read a project's AGENTS.md; it is listed once, under the first."""
