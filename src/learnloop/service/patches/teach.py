"""`learn teach`: the snippet for agents goes through the same door as every other patch."""

from typing import TYPE_CHECKING

from learnloop.errors import NotFound
from learnloop.hosts import agent_files
from learnloop.models.patch import Patch
from learnloop.patch import teaching
from learnloop.service.patches import patches, proposals
from learnloop.wire import clock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from learnloop.service.workspace import Workspace


def teach(
    ws: "Workspace", agent: str = "", projects: "Sequence[str]" = (), *, is_named: bool = False
) -> Patch:
    """The patch with the snippet, proposed if it is new, and updated if it is older.

    `is_named` says that the person names the file. Raises NotFound where no prompt file would take it and
    none is named, Refused where the agent's name is not valid.
    """
    if agent:
        agent_files.check_name(agent)
    snippet = teaching.snippet(agent, clock.iso(clock.now_ms()))
    now = patches.board(ws, projects)
    if not is_named and not now.candidates(snippet):
        raise _nowhere(now, agent)
    before = now.by_id.get(snippet.id)
    if before is None:
        proposals.propose(ws, snippet)
    elif before.state == "dismissed":
        proposals.restore(ws, [before.id])
    if before is not None and before.block != snippet.block and not before.edited:
        proposals.edit(ws, before.id, snippet.block, is_persons=False)
    return patches.find(ws, snippet.id, projects)


def _nowhere(now: patches.Board, agent: str) -> NotFound:
    if not agent:
        return NotFound(
            "no instruction file was found", "make one, as ~/.claude/CLAUDE.md, or name it with --file"
        )
    names = sorted({file.name for file in now.files if file.kind == "agent" and file.name})
    hint = f"there are {', '.join(names[:8])}" if names else "learn patches targets lists what there is"
    return NotFound(f"no prompt file of an agent {agent!r} was found", hint)
