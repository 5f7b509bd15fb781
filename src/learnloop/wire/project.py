"""Which project a session belongs to: the real folder that holds `.git`, never the home folder or above."""

import posix

from learnloop.wire import paths, switches

_GITDIR = "gitdir: "
_TYPE, _REGULAR = 0o170000, 0o100000
_MOST = 4096


def find(start: str, home: str = "") -> str:
    """The project root for a session that started in `start`, a real absolute path.

    The nearest ancestor with `.git`; a worktree leads to its main checkout, a submodule is a project of its
    own; `.learnloop/project` in a folder on the way names a package of a monorepo; else `start` itself.
    """
    home = home or paths.home()
    folder = start
    while folder and folder != "/" and folder != home and not home.startswith(folder + "/"):
        if switches.exists(folder + "/.learnloop/project"):
            return folder
        if switches.exists(folder + "/.git"):
            return _main_checkout(folder)
        folder = folder.rpartition("/")[0]
    return start


def _main_checkout(folder: str) -> str:
    """The folder itself; for a worktree, whose `.git` file points there, its main checkout or repository."""
    status = posix.lstat(folder + "/.git")
    if status.st_mode & _TYPE != _REGULAR:  # a folder: the ordinary case
        return folder
    repository, marker, worktree = administration(folder).rpartition("/worktrees/")
    if not marker or "/.git/modules/" in repository:
        return folder
    if not _names(f"{repository}/worktrees/{worktree}", status):
        return folder
    main, _, name = repository.rpartition("/")
    # `.git` of a checkout, or `.bare` beside the worktrees; else a bare repository somewhere by itself.
    return main if main and name.startswith(".") else repository


def administration(folder: str) -> str:
    """The folder that a `.git` file leads to; empty where it is no such file."""
    text = _text(folder + "/.git")
    there = text.removeprefix(_GITDIR)
    return "" if there == text else there if there.startswith("/") else _resolved(folder, there)


def _text(path: str) -> str:
    """The one line of a file that git wrote; nothing where it is no such file."""
    from learnloop.wire import regular

    try:
        line = regular.foreign(path, lambda path: regular.read(path, _MOST))
        return line.decode("utf-8", "surrogateescape").strip()
    except (OSError, ValueError):
        return ""


def _names(administration: str, git_file: "posix.stat_result") -> bool:
    """Whether a repository says of a worktree that it is the one with this `.git` file."""
    back = _text(administration + "/gitdir")
    if not back.startswith("/"):
        back = _resolved(administration, back)
    try:
        there = posix.lstat(back)
    except (OSError, ValueError):
        return False
    return there.st_ino == git_file.st_ino and there.st_dev == git_file.st_dev


def _resolved(folder: str, relative: str) -> str:
    """A path relative to a real folder, as git writes it with `worktree.useRelativePaths`."""
    parts = folder.split("/")
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
