"""The file that a fact belongs into: the project's own, or that of a folder in which was written. Pure."""

from collections.abc import Iterable

PROJECT_FILE, FOLDER_FILE = "LEARNED.md", "AGENTS.md"
_TITLE = "# Learned Preferences"


def fact_file(project: str, folder: str, written: Iterable[str]) -> str:
    """The file for a fact about a folder of a project; that of the project where nothing was written there.

    `written` are files, absolute or below the project. Whatever the folder is, the file is in the project.
    """
    parts = folder.split("/")
    is_plain = all(
        part and not part.startswith(".") and part.isprintable() and "\\" not in part for part in parts
    )
    below = f"{project}/{folder}/"
    inside = (name if name.startswith("/") else f"{project}/{name}" for name in written)
    if is_plain and any(name.startswith(below) and "/../" not in name for name in inside):
        return f"{below}{FOLDER_FILE}"
    return f"{project}/{PROJECT_FILE}"


def title(path: str) -> str:
    """The title of a file that is made for facts."""
    folder, _, name = path.rpartition("/")
    return _TITLE if name == PROJECT_FILE else f"# {folder.rpartition('/')[2].replace('_', ' ').capitalize()}"
