"""The transcripts of Claude Code on the disk: which projects have some, and where the files are."""

import re
from pathlib import Path

from learnloop.errors import NotFound, Unreadable
from learnloop.hosts.claude import transcripts
from learnloop.models.base import Document
from learnloop.wire import clock, env, paths


class TranscriptProject(Document):
    """A project that has transcripts."""

    project: str
    """The folder in which its sessions ran."""
    path: str
    sessions: int
    last: str
    """When the newest transcript was written."""


def projects() -> list[TranscriptProject]:
    """The projects with transcripts, the latest first."""
    folder = _transcripts_root()
    every = map(_project, _folders(folder))
    return sorted((project for project in every if project), key=lambda project: project.last, reverse=True)


def _transcripts_root() -> Path:
    """The folder of Claude Code's transcripts; it contains one folder per project."""
    return Path(env.get("CLAUDE_CONFIG_DIR") or paths.home() + "/.claude", "projects")


def transcripts_of(path: str) -> list[Path]:
    """The transcripts of a file, folder or project; raises NotFound or Unreadable where there are none."""
    given = Path(path).expanduser()
    if given.is_file():
        _check(given)
        return [given]
    for folder in (given, _transcripts_root() / re.sub(r"[^A-Za-z0-9]", "-", str(given.absolute()))):
        files = _transcripts_in(folder) or [
            file for child in _folders(folder) for file in _transcripts_in(child)
        ]
        if files:
            return files
    if not given.exists():
        raise NotFound(f"there is no {path}", "name a transcript, a folder of them, or a project")
    raise NotFound(f"{path} has no transcripts", "learn backfill without a path lists the projects that have")


def _project(folder: Path) -> TranscriptProject | None:
    files = _transcripts_in(folder)
    if not files:
        return None
    newest = max(files, key=lambda file: file.stat().st_mtime_ns)
    return TranscriptProject(
        project=_cwd(newest) or folder.name,
        path=str(folder),
        sessions=len(files),
        last=clock.iso(newest.stat().st_mtime_ns // 1_000_000),
    )


def _cwd(file: Path) -> str:
    """The folder that a session ran in; the name of the transcripts' folder is ambiguous."""
    try:
        return transcripts.folder(file)
    except OSError:
        return ""


def _check(file: Path) -> None:
    try:
        if transcripts.is_transcript(file):
            return
    except OSError as error:
        raise Unreadable(f"{file} cannot be read ({error.strerror})", "nothing was changed") from None
    raise Unreadable(f"{file} is no transcript of Claude Code", "nothing was changed")


def _folders(folder: Path) -> list[Path]:
    return sorted(child for child in folder.iterdir() if child.is_dir()) if folder.is_dir() else []


def _transcripts_in(folder: Path) -> list[Path]:
    """The transcripts of sessions in a folder, oldest first, without those of subagents."""
    if not folder.is_dir():
        return []
    files = [file for file in folder.glob("*.jsonl") if not file.name.startswith("agent-") and file.is_file()]
    return sorted(files, key=lambda file: file.stat().st_mtime_ns)
