"""What is known of a project: its conventions, its rules, and what goes wrong in it."""

from learnloop.models.base import Document
from learnloop.models.preferences import BeliefKind


class Finding(Document):
    """One line about a project, told to agents once a person has confirmed it."""

    id: str
    kind: BeliefKind
    statement: str
    """What agents are told, or would be."""
    source: str = ""
    """Where it comes from: a file of the project, or remarks."""
    count: int = 1
    """How often it was seen."""
    examples: tuple[str, ...] = ()
    confirmed: bool = False
    dismissed: bool = False
    gone: bool = False
    """It was confirmed, and the project no longer says it."""


class ProjectPatterns(Document):
    """What is known of one project."""

    project_path: str
    project_hash: str
    """First 16 hex digits of the path's SHA-256."""
    trusted: bool = False
    """Whether the project's own files may be read."""
    conventions: tuple[Finding, ...] = ()
    """Lines about its conventions and tools that were confirmed under an earlier version."""
    learned_rules: tuple[str, ...] = ()
    """The statements of its active lessons."""
    common_mistakes: tuple[Finding, ...] = ()
    """Corrections that keep coming in this project."""
    last_updated: str = ""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Everything that can be confirmed."""
        return (*self.conventions, *self.common_mistakes)
