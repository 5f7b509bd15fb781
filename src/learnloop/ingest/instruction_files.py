"""What agents read anyway: instruction files, rules, agent files, auto-memory and applied patches.

A lesson that one of these files contains is not recalled to the agents that read it. A person's own files
are always read, those of a project only if it is trusted: trust is bound to what the files said when a
person gave it. Only the place of a lesson is stored.
"""

import fnmatch
import glob
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from learnloop.hosts import agent_files
from learnloop.learn.language import bullets
from learnloop.learn.lessons import acts, meaning, similarity
from learnloop.learn.profile import beliefs
from learnloop.models.decision import Decision
from learnloop.settings import Settings
from learnloop.store.files import listing
from learnloop.wire import env, paths, regular

Doc = dict[str, Any]
LESSONS, RULES, DIRECTIVES = "lessons", "rules", "directives"
"""Names in `facts.sources`: active lessons, the rule files of agents, and the person's own directives."""
_DIRECTIVES = tuple(f"~/.agents/docs/development/{name}-directives.md" for name in ("coding", "testing"))
_MOST_BYTES = 256 * 1024
_MOST_FILES = 200
_MEMORY_LINES, _MEMORY_BYTES = 200, 25_000
"""Lines and bytes of an auto-memory that the client loads into each session."""
_HOPS = 4
_IMPORT = re.compile(r"^@(\S+)\s*$", re.M)
_SHARED = 0.5
"""A text without half of a statement's words does not say it, whatever else its sentences share with it."""


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


class Passage(NamedTuple):
    """A sentence of a file that agents read, which says what a lesson says."""

    path: str
    line: int
    sentence: str
    host: str
    project: str
    agent: str


def sources(projects: Iterable[str], trusted: Iterable[str], patches: Iterable[Doc] = ()) -> list[Source]:
    """Return the files that agents read: a person's own, and those of trusted projects."""
    files: list[Source] = []
    named = sorted({*projects} - {""})
    for folders in agent_files.HOSTS:
        for project in ("", *sorted({*trusted} & {*named})):
            files += _of_host(folders, project)
    files += [source for project in named if (source := _memory(project)) is not None]
    files += _patched(patches)
    return list(dict.fromkeys(files))


def signature(files: Iterable[Source]) -> str:
    """Return a hash that changes when one of the files does."""
    digest = hashlib.sha256()
    for source in files:
        digest.update(repr((source, _stamp(source.path))).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def passages(statement: str, files: Iterable[Source]) -> list[Passage]:
    """Return where files say a statement, by the near-duplicate test of `learn.lessons.similarity`."""
    matches = []
    sentences: dict[str, str] = {}
    """By text: several agents read the same file."""
    for source in files:
        text = text_of(source)
        if text not in sentences:
            sentences[text] = _restatement(statement, text)
        if sentence := sentences[text]:
            line, where = line_of(sentence, text), (source.host, source.project, source.agent)
            matches.append(Passage(source.path, line, sentence, *where))
    return matches


def _restatement(statement: str, text: str) -> str:
    """The sentence of a text that says a statement; empty where none does."""
    words = frozenset(meaning.normalise(statement).split())
    if not words or len(words & _words(text)) < _SHARED * len(words):
        return ""
    sentence = similarity.find_restatement(statement, text)
    return sentence if sentence and not bullets.excepts(sentence, statement) else ""


def text_of(source: Source) -> str:
    """What a file really says, without its comments, code and struck words; empty where it cannot be read."""
    return source.text or _text(source.path, source.is_memory, _stamp(source.path))


def inside(project: str, *patterns: str) -> list[Source]:
    """The files of a project that match; none that a link or `..` leads out of it for."""
    return [Source(str(path), "", project) for path in _files(Path(project), patterns, inside=True)]


def named_files(decisions: list[Decision], project: str, settings: Settings) -> Iterator[Source]:
    """The files that the setting `facts.sources` names: a person's own, and those of a trusted project."""
    trusted = holds(beliefs.trusted_projects(decisions), project)
    named = (_DIRECTIVES if name == DIRECTIVES else (name,) for name in settings.facts.sources)
    for name in dict.fromkeys(chain.from_iterable(named)):
        if name == RULES:
            yield from rule_files(project if trusted else "")
        elif name.startswith(("/", "~/")):
            yield Source(str(Path(name).expanduser()), "")
        elif name != LESSONS and trusted:
            yield from inside(project, name)


def rule_files(project: str = "") -> list[Source]:
    """The rule files of every agent: the person's own, and those of a project where one is given."""
    own = [(folders, _home(folders), folders.rules) for folders in agent_files.HOSTS]
    files = [
        Source(str(path), host.host)
        for host, base, rules in own
        for path in _files(base, rules, inside=False)
    ]
    shared = (rule for folders in agent_files.HOSTS for rule in folders.project_rules)
    return [*files, *(inside(project, *shared) if project else ())]


def is_loaded(project: str, path: str, version: tuple[int, ...] | None) -> bool:
    """Whether Claude Code loads a file of a project, were it there, when it works in the file's folder.

    Without a version the client is taken for the newest that was measured.
    """
    claude = next(folders for folders in agent_files.HOSTS if folders.host == "claude")
    folder, names = Path(path).parent, claude.project_instructions
    starts = _files(folder, names, inside=True)
    has_stand_ins = version is None or version >= claude.stand_ins_since
    own = _home(claude) / "CLAUDE.md"
    if has_stand_ins and {*chain.from_iterable(_files(f, names) for f in (folder, *folder.parents))} <= {own}:
        if Path(path).name in claude.stand_ins:
            return True
        starts = _files(folder, claude.stand_ins, inside=True)
    like = Source("", "claude", project)
    imports = (
        source.path for start in starts for source in _imported(start, Path(project), like, is_there=False)
    )
    return path in {*map(str, starts), *map(os.path.realpath, starts), *imports}


def texts_of(project: str) -> list[tuple[str, str]]:
    """What agents read of a project's own files: path and text of each."""
    every = dict.fromkeys(s.path for host in agent_files.HOSTS for s in _of_host(host, project))
    return [(path, _text(path, False, _stamp(path))) for path in sorted(every)]


def line_of(sentence: str, text: str) -> int:
    """Return the line, from 1, at which a sentence of a text begins."""
    words = " ".join(sentence.split())
    for number, line in enumerate(text.split("\n"), 1):
        bare = " ".join(line.strip().lstrip("-*+>#0123456789.) ").split())
        head = bare[: min(len(words), 60)]
        if head and (words.startswith(head) or words[:40] in bare):
            return number
    return 1


def _of_host(folders: agent_files.Folders, project: str = "") -> Iterator[Source]:
    if project:
        base, agents = Path(project), folders.project_agents
        instructions = (*folders.project_instructions, *folders.project_rules)
    else:
        base, agents = _home(folders), folders.agents
        instructions = (*folders.instructions, *folders.rules)
    for path in _files(base, instructions, inside=bool(project)):
        yield Source(str(path), folders.host, project)
        if folders.imports:
            yield from _imported(path, base, Source("", folders.host, project))
    for path in _files(base, agents, inside=bool(project)):
        yield Source(str(path), folders.host, project, _agent_name(path))


def _home(folders: agent_files.Folders) -> Path:
    """The folder of a person's own files of an agent."""
    moved = env.get(folders.variable) if folders.variable else ""
    return Path(moved or f"{paths.home()}/{folders.home}")


def _imported(path: Path, base: Path, like: Source, *, is_there: bool = True) -> Iterator[Source]:
    """Yield the files that a file imports by `@path`, if they are below its folder; each once.

    Unless they must be there, names of missing files count too.
    """
    folder, seen = base.resolve(), {path.resolve()}
    hop = [path]
    for _ in range(_HOPS):
        named = [(file, name) for file in hop for name in dict.fromkeys(_imports(file))]
        others = (_import_of(file, name, is_there) for file, name in named[:_MOST_FILES])
        hop = [other for other in others if other and other.is_relative_to(folder) and other not in seen]
        hop = list(dict.fromkeys(hop))
        seen.update(hop)
        yield from (like._replace(path=str(other)) for other in hop)


def _imports(path: Path) -> list[str]:
    return _IMPORT.findall(_text(str(path), False, _stamp(str(path))))


def _import_of(path: Path, name: str, is_there: bool) -> Path | None:
    try:
        other = (path.parent / Path(name).expanduser()).resolve()
        return other if not is_there or other.is_file() else None
    except (OSError, RuntimeError, ValueError):  # nobody's home, a loop of links, no name of a file
        return None


def _memory(project: str) -> Source | None:
    """Return Claude Code's own notes on a project, which are in the person's folder."""
    base = env.get("CLAUDE_CONFIG_DIR") or f"{paths.home()}/.claude"
    path = f"{base}/projects/{agent_files.project_folder(project)}/memory/MEMORY.md"
    return Source(path, "claude", project, is_memory=True) if Path(path).is_file() else None


def _patched(patches: Iterable[Doc]) -> Iterator[Source]:
    active = [patch for patch in patches if patch.get("state") == "active"]
    yield from _facts([patch for patch in active if patch.get("source") == "facts"])
    for patch in active:
        for target in (patch.get("targets") or ()) if patch.get("source") != "facts" else ():
            if target.get("state") == "applied":
                path, text = str(target.get("path", "")), str(target.get("block") or patch.get("block") or "")
                named = {"agent": str(patch.get("agent") or ""), "agents": _agent_name(Path(path))}
                agent = named.get(str(patch.get("audience")), "").lower()
                project = str(patch.get("project") or "")
                yield from (Source(path, host, project, agent, text=text) for host in readers(path, project))


def readers(path: str, project: str) -> list[str]:
    """The hosts that read a prompt file, were it there; `[""]`, all of them, where no row names it."""
    hosts = [row.host for row in agent_files.HOSTS if _is_named(row, path, project)]
    if project and "claude" not in hosts and is_loaded(project, path, None):
        hosts.append("claude")
    return list(dict.fromkeys(hosts)) or [""]


def _is_named(row: agent_files.Folders, path: str, project: str) -> bool:
    """Whether a row names a file among the person's own, or among those of a project."""
    own = (str(_home(row)), (*row.agents, *row.instructions, *row.rules))
    shared = (project, (*row.project_agents, *row.project_instructions, *row.project_rules))
    return any(
        fnmatch.fnmatchcase(path, f"{glob.escape(base)}/{pattern.replace('**/', '*')}")
        for base, patterns in (own, shared)
        if base
        for pattern in patterns
    )


def _facts(patches: Iterable[Doc]) -> Iterator[Source]:
    """Yield the facts in files that any version of Claude reads by an import line of ours."""
    applied = [
        (str(target.get("path", "")), str(patch.get("block", "")), str(patch.get("project", "")))
        for patch in patches
        for target in patch.get("targets") or ()
        if target.get("state") == "applied"
    ]
    imports = {
        os.path.normpath(f"{Path(path).parent}/{name}")
        for path, block, _ in applied
        if Path(path).name.startswith("CLAUDE")
        for name in _IMPORT.findall(block)
    }
    for path, block, project in applied:
        if path in imports and not block.startswith("@"):
            yield Source(path, "claude", project, text=block)


def _files(base: Path, patterns: Iterable[str], *, inside: bool = False) -> list[Path]:
    """The files that match; with `inside` none that a link leads out of the folder for."""
    files: list[Path] = []
    for pattern in patterns if base.is_dir() else ():
        if "*" not in pattern:
            files += [base / pattern] if (base / pattern).is_file() else []
        elif (base / pattern.partition("*")[0]).is_dir():
            files += sorted(path for path in base.glob(pattern) if path.is_file())[:_MOST_FILES]
    if not (files and inside):
        return files
    real = base.resolve()
    return [path for path in files if path.resolve().is_relative_to(real)]


def _agent_name(path: Path) -> str:
    return path.name.partition(".")[0].lower()


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)  # noqa: PTH116  many files at each ingest
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=256)
def _text(path: str, is_memory: bool, stamp: tuple[int, int]) -> str:
    del stamp
    most = _MEMORY_BYTES if is_memory else _MOST_BYTES
    try:
        text = regular.read(path, most, follows=True).decode("utf-8", "replace")
    except OSError:
        return ""
    return bullets.effective("\n".join(text.split("\n")[:_MEMORY_LINES]) if is_memory else text)


@lru_cache(maxsize=256)
def _words(text: str) -> frozenset[str]:
    return frozenset(meaning.normalise(text).split())


def of_lessons(lessons: Iterable[Mapping[str, Any]], files: list[Source]) -> dict[str, list[list[str]]]:
    """Return where agents read active lessons anyway: {lesson id: [[host, project, agent, file:line]]}.

    An empty name means all. No file stands in for a stop or a CRITICAL lesson.
    """
    places_by_id = {}
    for lesson in lessons:
        if files and lesson.get("status") == "active" and lesson.get("statement") and not _is_vital(lesson):
            scope = "" if lesson.get("scope") == "global" else lesson.get("project", "")
            here = [source for source in files if not scope or source.project in ("", scope)]
            places = [
                [match.host, match.project, match.agent, f"{Path(match.path).name}:{match.line}"]
                for match in passages(lesson["statement"], here)
            ]
            if places:
                places_by_id[lesson["id"]] = places
    return places_by_id


def _is_vital(lesson: Mapping[str, Any]) -> bool:
    return bool(acts.gates(lesson) or lesson.get("stops") or lesson.get("priority") == "CRITICAL")


SHARED = ".learnloop/lessons"
"""The folder of a project with the lessons that it shares."""
LONGEST, _MOST = 8_000, 500
"""Bytes of a file there, and files that are read."""


def digest_of(project: str) -> str:
    """A hash of what agents read of a project's own files."""
    files = hashlib.sha256()
    for path, text in texts_of(project):
        files.update(repr((path, text)).encode("utf-8", "surrogatepass"))
    return files.hexdigest()


def trusted(decisions: Iterable[Decision]) -> frozenset[str]:
    """The trusted projects whose files still say what they said then."""
    digests = beliefs.trusted_projects(decisions)
    return frozenset(project for project in digests if holds(digests, project))


def holds(digests: Mapping[str, str], project: str) -> bool:
    """Whether trust, given for the files of some hashes, still holds in a project."""
    return project in digests and digests[project] in ("", digest_of(project))


def shared_lessons(project: str) -> list[tuple[str, bytes]]:
    """The files of the lessons that a project shares, by name, with their first bytes; links are none."""
    folder, files = Path(project, SHARED), []
    if not (folder.is_symlink() or folder.parent.is_symlink()):
        for path in listing(folder, ".json")[:_MOST]:
            try:
                files.append((path.name, regular.read(str(path), LONGEST + 1)))
            except OSError:
                files.append((path.name, b""))
    return files


def shared_digest(project: str) -> str:
    """A hash of what a project shares; empty where it shares nothing."""
    files = shared_lessons(project)
    return hashlib.sha256(repr(files).encode()).hexdigest() if files else ""


def sharing(decisions: Iterable[Decision]) -> frozenset[str]:
    """The projects whose shared lessons still are what a person trusted."""
    digests = beliefs.trusted_projects(decisions, "shared")
    return frozenset(project for project, digest_of in digests.items() if digest_of == shared_digest(project))


def changed(decisions: Iterable[Decision]) -> frozenset[str]:
    """The projects to be trusted anew, because their files, or the lessons that they share, are others."""
    every = list(decisions)
    shared = beliefs.trusted_projects(every, "shared")
    others = frozenset(
        project for project, digest_of in shared.items() if digest_of != shared_digest(project)
    )
    return (frozenset(shared) - trusted(every)) | others
