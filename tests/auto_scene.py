"""A trusted project with instructions, whose facts a person's standing approval takes in."""

from pathlib import Path

from learnloop.service import workspace
from learnloop.service.facts import modes
from learnloop.service.lessons import documents
from learnloop.service.review import trust
from learnloop.service.workspace import Workspace, open_workspace
from tests.fact_scene import Doc, answer, item, reading, say

RULES = "# Shop\n"
DOCSTRINGS = "Don't add docstrings to the handlers"
STRUCTLOG = "The handlers log with structlog"


class AutoProject:
    """A project folder, and what a person says in it."""

    def __init__(self, root: str, folder: Path) -> None:
        self.root, self.folder = root, folder
        (folder / ".git").mkdir(parents=True)
        (folder / "CLAUDE.md").write_text(RULES)

    @property
    def ws(self) -> Workspace:
        """A store that is opened anew, as by another process."""
        return open_workspace(self.root)

    @property
    def name(self) -> str:
        return str(self.folder)

    @property
    def learned(self) -> str:
        """What stands in the project's own file of facts; empty where there is none."""
        file = self.folder / "LEARNED.md"
        return file.read_text() if file.exists() else ""

    def allow(self) -> None:
        """The person trusts the files and lets facts be taken in, read through CLAUDE.md."""
        trust.trust(self.ws, self.name)
        modes.set_mode(self.ws, self.name, "auto", [f"{self.name}/CLAUDE.md"])

    def read(
        self, prompt: str, *found: str, session: str = "s1", wrote: str = "api/orders.py",
        scope: str = "project", starter: Doc | None = None,
    ) -> int:  # fmt: skip
        """A model finds facts in a prompt; how many were taken in by it."""
        say(self.root, prompt, session=session, project=self.name, wrote=wrote, starter=starter)
        report = answer(self.ws, reading(*(item(words, scope=scope) for words in found)), project=self.name)
        workspace.ingest(self.ws)
        return report.taken

    def status(self, words: str) -> str:
        """The state of the lesson that says this; empty where none does."""
        docs = documents.lessons(self.root).values()
        return next((str(doc["status"]) for doc in docs if doc["statement"].startswith(words)), "")
