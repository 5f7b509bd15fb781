"""A home with agents and a store with rules, for tests of patches."""

from pathlib import Path

from learnloop.service.patches import patches
from learnloop.service.review import verdicts
from learnloop.service.workspace import Workspace, open_workspace

AGENT = (
    "---\nname: {name}\ndescription: Works as {name}\ntools: Read, Grep\n---\n# {name}\n\nWork with care.\n"
)
RULES = (
    "Integration tests are run before a change is called done",
    "Commit messages name the reason of a change",
    "New dependencies are asked for before they are added",
    "Migrations are written with a way back",
    "Public functions carry a docstring of one sentence",
)


def agents(home: Path, *names: str) -> Path:
    """A folder with agents."""
    folder = home / ".claude" / "agents"
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / f"{name}.md").write_text(AGENT.format(name=name))
    return folder


def rules(root: str, count: int = 1) -> Workspace:
    """A store in which so many rules were told."""
    ws = open_workspace(root)
    for rule in RULES[:count]:
        verdicts.add(ws, rule)
    return ws


def ids(ws: Workspace) -> list[str]:
    """The patches that are proposed or applied."""
    return [patch.id for patch in patches.listing(ws) if patch.state != "dismissed"]
