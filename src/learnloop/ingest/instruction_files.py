"""What agents are told already: their instruction files, rules, agent files, auto-memory and applied patches.

A lesson that one of these says is not recalled to the agents that read it. A person's own files are always
read; those of a project only once the person trusts it. Texts are bounded, and nothing is kept of them but
which lesson stands where.
"""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from learnloop.hosts import agent_folders
from learnloop.learn.lessons import fingerprint, similarity
from learnloop.wire import env, paths

Doc = dict[str, Any]
_MOST_BYTES = 256 * 1024
_MOST_FILES = 200
_MEMORY_LINES, _MEMORY_BYTES = 200, 25_000
"""So much of an auto-memory is loaded into each session."""
_HOPS = 4
_IMPORT = re.compile(r"^@(\S+)\s*$", re.M)
_FRONT_MATTER = re.compile(r"---\n.*?\n---\n", re.S)
_SHARED = 0.5
"""A text without half of a statement's words cannot share 60 % of its 3-grams."""


class Source(NamedTuple):
    """A file that agents read, and which of them do."""

    path: str
    host: str
    project: str = ""
    """Only in this project; empty: everywhere."""
    agent: str = ""
    """Only this subagent; empty: every agent."""
    is_memory: bool = False
    text: str = ""
    """What it says, where that is known without reading it."""


class Known(NamedTuple):
    """Where something is said already."""

    path: str
    line: int
    said: str
    host: str
    project: str
    agent: str


def sources(projects: Iterable[str], trusted: Iterable[str], patches: Iterable[Doc] = ()) -> list[Source]:
    """The files that agents read: a person's own, and those of trusted projects."""
    found: list[Source] = []
    allowed = frozenset(trusted)
    wanted = sorted({*projects} - {""})
    for folders in agent_folders.HOSTS:
        found += _own(folders)
        for project in wanted:
            if project in allowed:
                found += _of_project(folders, project)
    found += [source for project in wanted if (source := _memory(project)) is not None]
    found += _patched(patches)
    return list(dict.fromkeys(found))


def signature(found: Iterable[Source]) -> str:
    """What changes when one of the files does."""
    made = hashlib.sha256()
    for source in found:
        made.update(repr((source, _stamp(source.path))).encode("utf-8", "surrogatepass"))
    return made.hexdigest()[:16]


def said_already(statement: str, found: Iterable[Source]) -> list[Known]:
    """Where a statement is said already, by the near-duplicate test of `learn.lessons.similarity`."""
    words = frozenset(fingerprint.normalise(statement).split())
    known = []
    for source in found:
        text = source.text or _text(source.path, source.is_memory, _stamp(source.path))
        if words and len(words & _words(text)) >= _SHARED * len(words):
            said = similarity.find_restatement(statement, text)
            if said:
                line = line_of(said, text)
                known.append(Known(source.path, line, said, source.host, source.project, source.agent))
    return known


def compiled(known: Iterable[Known]) -> list[list[str]]:
    """The same for the index: host, project, agent (each empty for all of them) and where."""
    return [[one.host, one.project, one.agent, f"{Path(one.path).name}:{one.line}"] for one in known]


def line_of(said: str, text: str) -> int:
    """The line of a text at which a sentence of it begins, counted from 1."""
    wanted = " ".join(said.split())
    for number, line in enumerate(text.split("\n"), 1):
        bare = " ".join(line.strip().lstrip("-*+>#0123456789.) ").split())
        head = bare[: min(len(wanted), 60)]
        if head and (wanted.startswith(head) or wanted[:40] in bare):
            return number
    return 1


def _own(folders: agent_folders.Folders) -> Iterator[Source]:
    moved = env.get(folders.variable) if folders.variable else ""
    base = Path(moved or f"{paths.home()}/{folders.home}")
    for path in _files(base, (*folders.instructions, *folders.rules)):
        yield Source(str(path), folders.host)
        yield from _imported(path, base, Source("", folders.host))
    for path in _files(base, folders.agents):
        yield Source(str(path), folders.host, agent=_agent_name(path))


def _of_project(folders: agent_folders.Folders, project: str) -> Iterator[Source]:
    base = Path(project)
    for path in _files(base, (*folders.project_instructions, *folders.project_rules)):
        yield Source(str(path), folders.host, project)
        yield from _imported(path, base, Source("", folders.host, project))
    for path in _files(base, folders.project_agents):
        yield Source(str(path), folders.host, project, _agent_name(path))


def _imported(path: Path, base: Path, like: Source, hops: int = _HOPS) -> Iterator[Source]:
    """What a file brings along by `@path`, as far as it stays below its folder."""
    for named in _IMPORT.findall(_text(str(path), False, _stamp(str(path)))) if hops else ():
        other = (path.parent / Path(named).expanduser()).resolve()
        if other.is_relative_to(base.resolve()) and other.is_file():
            yield like._replace(path=str(other))
            yield from _imported(other, base, like, hops - 1)


def _memory(project: str) -> Source | None:
    """Claude Code's own notes on a project; they stand in the person's folder."""
    base = env.get("CLAUDE_CONFIG_DIR") or f"{paths.home()}/.claude"
    name = re.sub(r"[^A-Za-z0-9]", "-", project)
    path = f"{base}/projects/{name}/memory/MEMORY.md"
    return Source(path, "claude", project, is_memory=True) if Path(path).is_file() else None


def _patched(patches: Iterable[Doc]) -> Iterator[Source]:
    for patch in patches:
        for target in (patch.get("targets") or ()) if patch.get("state") == "active" else ():
            if target.get("state") == "applied":
                path, text = str(target.get("path", "")), str(target.get("block") or patch.get("block") or "")
                named = {"agent": str(patch.get("agent") or ""), "agents": _agent_name(Path(path))}
                agent = named.get(str(patch.get("audience")), "").lower()
                yield Source(path, "", str(patch.get("project") or ""), agent, text=text)


def _files(base: Path, patterns: Iterable[str]) -> list[Path]:
    found: list[Path] = []
    for pattern in patterns:
        if "*" not in pattern:
            found += [base / pattern] if (base / pattern).is_file() else []
        elif (base / pattern.partition("*")[0]).is_dir():
            found += sorted(path for path in base.glob(pattern) if path.is_file())[:_MOST_FILES]
    return found


def _agent_name(path: Path) -> str:
    return path.name.partition(".")[0].lower()


def _stamp(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116  many files at each ingest
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=256)
def _text(path: str, is_memory: bool, stamp: tuple[int, int]) -> str:
    """What a file says, kept until it changes."""
    del stamp
    most = _MEMORY_BYTES if is_memory else _MOST_BYTES
    try:
        with Path(path).open("rb") as file:
            text = file.read(most).decode("utf-8", "replace")
    except OSError:
        return ""
    text = "\n".join(text.split("\n")[:_MEMORY_LINES]) if is_memory else text
    head = _FRONT_MATTER.match(text)
    return "\n" * head.group().count("\n") + text[head.end() :] if head else text


@lru_cache(maxsize=256)
def _words(text: str) -> frozenset[str]:
    return frozenset(fingerprint.normalise(text).split())


def of_lessons(lessons: Iterable[Mapping[str, Any]], found: list[Source]) -> dict[str, list[list[str]]]:
    """For the index: by lesson in use, where agents read it already."""
    known = {}
    for lesson in lessons:
        if found and lesson.get("status") == "active" and lesson.get("statement"):
            scope = "" if lesson.get("scope") == "global" else lesson.get("project", "")
            here = [one for one in found if not scope or one.project in ("", scope)]
            places = compiled(said_already(lesson["statement"], here))
            if places:
                known[lesson["id"]] = places
    return known
