"""Which project a session belongs to: the real folder that holds `.git`, never the home folder or above."""

import posix

from learnloop.wire import paths

_GITDIR = "gitdir: "


def find(start: str, home: str = "") -> str:
    """The project root for a session that started in `start`, a real absolute path.

    The nearest ancestor with `.git`; a worktree leads to its main checkout, a submodule is a project of its
    own; `.learnloop/project` in a folder on the way names a package of a monorepo; else `start` itself.
    """
    home = home or paths.home()
    folder = start
    while folder and folder != "/" and folder != home and not home.startswith(folder + "/"):
        if _exists(folder + "/.learnloop/project"):
            return folder
        if _exists(folder + "/.git"):
            return _main_checkout(folder)
        folder = folder.rpartition("/")[0]
    return start


def _exists(path: str) -> bool:
    try:
        posix.stat(path)
    except (OSError, ValueError):  # the latter: no path can be written like that
        return False
    return True


def _main_checkout(folder: str) -> str:
    """The folder itself; for a worktree, whose `.git` file points there, its main checkout or repository."""
    try:
        fd = posix.open(folder + "/.git", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return folder
    try:
        text = posix.read(fd, 4096).decode("utf-8", "surrogateescape").strip()
    except OSError:  # a folder: the ordinary case
        return folder
    finally:
        posix.close(fd)
    repository, marker, _ = text.removeprefix(_GITDIR).rpartition("/worktrees/")
    if not text.startswith(_GITDIR) or not marker or "/.git/modules/" in repository:
        return folder
    if not repository.startswith("/"):
        repository = _resolved(folder, repository)
    main, _, name = repository.rpartition("/")
    # `.git` of a checkout, or `.bare` beside the worktrees; else a bare repository somewhere by itself.
    return main if main and name.startswith(".") else repository


def _resolved(folder: str, relative: str) -> str:
    """A path relative to a real folder, as git writes it with `worktree.useRelativePaths`."""
    parts = folder.split("/")
    for part in relative.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
