"""The transcripts of agents on the disk: which projects have some, and where the files are."""

from pathlib import Path

from learnloop.errors import NotFound, Unreadable
from learnloop.hosts import agent_files
from learnloop.hosts.host import Host, NoTranscripts
from learnloop.hosts.table import CLAUDE
from learnloop.hosts.transcript_lines import oldest_first, written
from learnloop.models.base import Document
from learnloop.service import hosts
from learnloop.wire import clock


class TranscriptProject(Document):
    """A project that has transcripts."""

    project: str
    """The folder in which its sessions ran."""
    path: str
    """Names them for a backfill."""
    host: str = "claude"
    sessions: int
    last: str
    """When the newest transcript was written."""


def projects() -> list[TranscriptProject]:
    """The projects with transcripts, the latest first."""
    files_by_folder: dict[tuple[str, str], list[Path]] = {}
    for host in hosts.HOSTS:
        for file in host.transcripts.files(host.home):
            place = str(file.parent) if host is CLAUDE else _place(host, file)
            files_by_folder.setdefault((host.name, place), []).append(file)
    every = [_project(name, place, files) for (name, place), files in files_by_folder.items()]
    return sorted(every, key=lambda project: project.last, reverse=True)


def transcripts_of(path: str) -> list[Path]:
    """The transcripts of a file, folder or project; raises NotFound or Unreadable where there are none."""
    given = Path(path).expanduser()
    if given.is_file():
        return host_of(given).transcripts.files(given) or [given]
    folders = (given, CLAUDE.home / "projects" / agent_files.project_folder(str(given.absolute())))
    if files := next(filter(None, map(_below, folders)), []) + _of_project(str(given.absolute())):
        return files
    if not given.exists():
        raise NotFound(f"there is no {path}", "name a transcript, a folder of them, or a project")
    raise NotFound(f"{path} has no transcripts", "learn backfill without a path lists the projects that have")


def host_of(file: Path) -> Host:
    """The host that wrote a transcript; raises Unreadable where none did."""
    try:
        host = next((host for host in reversed(hosts.HOSTS) if host.transcripts.is_transcript(file)), None)
    except OSError as error:
        raise Unreadable(f"{file} cannot be read ({error.strerror})", "nothing was changed") from None
    if host is None:
        titles = " or ".join(
            host.title for host in hosts.HOSTS if not isinstance(host.transcripts, NoTranscripts)
        )
        raise Unreadable(f"{file} is no transcript of {titles}", "nothing was changed")
    return host


def _below(folder: Path) -> list[Path]:
    """The transcripts in a folder, or in the folders in it, oldest first, without those of subagents."""
    for every in (folder.glob("*.jsonl"), folder.glob("*/*.jsonl")):
        if own := [file for file in every if not file.name.startswith("agent-") and not file.is_dir()]:
            return oldest_first(own)
    return []


def _of_project(folder: str) -> list[Path]:
    """The transcripts of a project that lie among those of others."""
    others = (host for host in hosts.HOSTS if host is not CLAUDE)
    return [
        file for host in others for file in host.transcripts.files(host.home) if _place(host, file) == folder
    ]


def _project(host: str, place: str, files: list[Path]) -> TranscriptProject:
    named = (_cwd(CLAUDE, file) for file in sorted(files, key=written, reverse=True))
    folder = next(filter(None, named), "") if host == CLAUDE.name else place
    return TranscriptProject(
        project=folder or Path(place).name, path=place, host=host, sessions=len(files),
        last=clock.iso(max(map(written, files)) // 1_000_000),
    )  # fmt: skip


def _cwd(host: Host, file: Path) -> str:
    """The folder that a session ran in; the name of the transcripts' folder is ambiguous."""
    try:
        return host.transcripts.folder(file)
    except OSError:
        return ""


def _place(host: Host, file: Path) -> str:
    """The folder that a session ran in; that of its host where it names none."""
    return _cwd(host, file) or str(host.home)
