"""What a project's files and lessons say already, in at most 50 lines: asked before a fact is new."""

from typing import Literal

from pydantic import Field

from learnloop.models.base import Document

Category = Literal["Coding", "Testing", "Communication", "Architecture"]
Summary = dict[Category, tuple[str, ...]]
MOST_LINES = 50


class KnownFacts(Document):
    """The summary of one project."""

    project: str
    signature: str
    """Of the sources: another one makes the summary anew."""
    created: str
    sources: tuple[str, ...] = ()
    """The files that were read."""
    lines: Summary = Field(default_factory=dict)

    @property
    def text(self) -> str:
        """The summary as Markdown: a heading per category, a list item per line."""
        parts = [
            f"## {name}\n" + "".join(f"- {line}\n" for line in lines) for name, lines in self.lines.items()
        ]
        return "\n".join(parts)
