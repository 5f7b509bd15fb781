"""The patch: a marked block or plain lines in an agent's prompt file, its evidence and what became of it."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import Field

from learnloop.models.base import Document
from learnloop.models.lesson import Trust

PatchState = Literal["proposed", "dismissed", "active"]
TargetState = Literal["planned", "applied", "reverted", "conflict", "missing"]
Audience = Literal["agent", "agents", "main"]
PatchSource = Literal["failure", "rule", "trait", "lesson", "correction", "import", "teach", "facts"]
Placement = Literal["append", "prepend"]
APPLIED_STATES = ("applied", "conflict", "missing")
"""The states of targets that have a block of ours, or had one when we last wrote them."""


class PatchTarget(Document):
    """One file that a patch goes into, and how it stands there."""

    path: str
    """As it was found or named; a link stays a link."""
    real: str = ""
    """The file behind it when it was written: a link that leads elsewhere by now is refused."""
    state: TargetState = "planned"
    block: str = ""
    """The words that stand there, where the patch has other ones by now."""
    backup: str = ""
    """The SHA-256 under which the file of before is kept."""
    sha256_before: str = ""
    sha256_after: str = ""
    mode: int = 0
    """The permission bits of the file when it was backed up."""
    heading: str = ""
    """Of a plain item: the heading that it stands under."""
    frame: tuple[str, ...] = ()
    """Of plain lines: the headings that came with them, and "" where the file itself did."""
    at: str = ""
    by: str = ""

    @property
    def is_applied(self) -> bool:
        """Whether there is a block of ours in the file, or was when we last wrote it."""
        return self.state in APPLIED_STATES


class Patch(Document):
    """A block of guidance for agents: proposed, dismissed, or active in at least one file."""

    id: str
    """26 base32 characters, derived from what it comes from: the same evidence makes the same patch."""
    state: PatchState = "proposed"
    source: PatchSource
    source_id: str = ""
    """The lesson, trait or theme it comes from."""
    audience: Audience
    agent: str = ""
    """The agent's name, for audience `agent`."""
    project: str = ""
    """Only files of this project; empty: the person's own files."""
    placement: Placement = "append"
    block: str
    reason: str
    trust: Trust = "user"
    """Whose words stand in the block; all but the person's are applied one by one."""
    confidence: float = Field(ge=0, le=1)
    evidence: tuple[str, ...] = ()
    """Ids of the lessons or feedback behind it."""
    evidence_count: int = 1
    quotes: tuple[str, ...] = ()
    """What the person said, for whoever decides."""
    targets: tuple[PatchTarget, ...] = ()
    created: str
    updated: str
    reason_dismissed: str = ""
    edited: bool = False
    """A person has changed its words."""

    @property
    def gist(self) -> str:
        """Its first paragraph without the signs of a heading or a list."""
        return self.block.split("\n\n")[0].lstrip("#").strip().removeprefix("- ")

    @property
    def is_plain(self) -> bool:
        """Whether its words stand in the file without marks, known by heading and words."""
        return self.source == "facts"

    @property
    def is_item(self) -> bool:
        """Whether it is a plain list item, not an import line."""
        return self.is_plain and self.block.startswith("- ")


Doc = dict[str, Any]


def carried(args: Mapping[str, Any]) -> Iterator[Doc]:
    """The documents of patches in a decision's arguments; anything else is left out."""
    docs = args.get("patches")
    for doc in docs if isinstance(docs, list) else ():
        if isinstance(doc, dict) and isinstance(doc.get("id"), str):
            yield doc
