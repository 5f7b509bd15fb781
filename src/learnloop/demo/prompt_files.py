"""The demo's prompt files, in a home folder of its own, and the patches in them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from learnloop.models.patch import Patch
from learnloop.patch import blocks, prompt_files
from learnloop.service.patches import patches
from learnloop.service.workspace import Workspace
from learnloop.store import files as store_files
from learnloop.wire import clock, paths

FOLDER = "demo-home"
AGENTS = {
    "reviewer": ("Reviews changes before they are merged", "Read, Grep, Glob", """\
Read the change as somebody who has to maintain it.

- Say first whether it does what was asked.
- Name each fault with its file and line.
- Praise nothing that is merely as it should be.
"""),
    "test-writer": ("Writes tests for what changed", "Read, Edit, Bash", """\
Write the tests that would have caught the fault.

- One behaviour a test, named after it.
- No sleeping; wait for what happens.
"""),
    "migrator": ("Plans and writes database migrations", "Read, Edit, Bash", """\
Plan the migration before it is written, and say what it locks.
"""),
}  # fmt: skip
INSTRUCTIONS = """\
# How I work

Small commits, each of which stands by itself. Ask before anything that cannot be undone.
"""


def seed(ws: Workspace, at_ms: int) -> Iterator[dict[str, Any]]:
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
    for name, (description, tools, body) in AGENTS.items():
        head = f"---\nname: {name}\ndescription: {description}\ntools: {tools}\n---\n# {name.title()}\n\n"
        store_files.replace(base / "agents" / f"{name}.md", [(head + body).encode()])
    store_files.replace(base / "CLAUDE.md", [INSTRUCTIONS.encode()])


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
