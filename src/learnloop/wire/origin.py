"""The name of a project that travels: `host/owner/name` of its origin, read as text; git is never started.

User, token, port, query and `.git` are cut, and the repository's own `insteadOf` is followed. A repository
without a remote, or with one that is a folder, has no such name: its folder stands for it.
"""

import posix

from learnloop.wire import project, regular

_MOST, _LONGEST = 1 << 18, 200
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789._~%+-")
_ORIGIN = ["remote", "origin"]
_names: "dict[str, tuple[int, str]]" = {}


def key(folder: str, repo: str = "") -> str:
    """What stands for a place everywhere: its name; else `repo` where its folder is gone; else its folder."""
    if folder[:1] != "/":
        return folder
    return name(folder) or (repo if repo and not _changed(folder) else folder)


def is_same(folder: str, other: str, repo: str = "") -> bool:
    """Whether two folders are checkouts of one repository; `repo` is the stored name of the first."""
    return folder == other or (bool(folder and other) and key(folder, repo) == key(other))


def name(folder: str) -> str:
    """The name of a project's folder, as `github.com/acme/shop`; empty where it has none."""
    stamp = _changed(folder + "/.git/config") or _changed(folder)
    if stamp and _names.get(folder, (0, ""))[0] != stamp:
        _names[folder] = (stamp, of_url(_url(_config(folder))))
    return _names[folder][1] if stamp else ""


def of_url(url: str) -> str:
    """The name that a remote's address gives; empty for a folder and for what is no address."""
    scheme, mark, rest = url.strip().partition("://")
    if not mark:
        host, mark, path = url.strip().partition(":")
        if "/" in host:
            return ""
    elif scheme.lower() not in ("https", "http", "ssh", "git", "git+ssh", "ssh+git", "ftp", "ftps"):
        return ""
    else:
        host, mark, path = rest.partition("/")
        host = host.rpartition("@")[2].partition(":")[0]
    parts = [part for part in path.partition("?")[0].partition("#")[0].lower().split("/") if part]
    full = "/".join([host.rpartition("@")[2].lower(), *parts]).removesuffix(".git")
    return full if mark and is_name(full) else ""


def is_name(text: str) -> bool:
    """Whether a text has the form of a name that travels."""
    parts = text.split("/")
    fits = len(text) <= _LONGEST and len(parts) > 1 and len(parts[0]) > 1
    return fits and all(_LETTERS.issuperset(part) and part.strip(".") for part in parts)


def _changed(path: str) -> int:
    """When something was changed; 0 where there is nothing, or what is no file of this machine."""
    try:
        return posix.lstat(path).st_mtime_ns
    except (OSError, ValueError):
        return 0


def _config(folder: str) -> str:
    """The repository's own settings; a link leads nowhere, and what is too large says nothing."""
    for place in (f"{folder}/.git", folder if folder.endswith(".git") else ""):
        try:
            if posix.lstat(place).st_mode & 0o170000 == 0o100000:  # of a submodule or a worktree
                place = project.administration(folder).partition("/worktrees/")[0]
            if posix.lstat(place).st_mode & 0o170000 == 0o040000:
                data = regular.foreign(place + "/config", lambda path: regular.read(path, _MOST))
                return data.decode("utf-8", "replace") if len(data) < _MOST else ""
        except (OSError, ValueError):
            continue
    return ""


def _url(config: str) -> str:
    """The first address of the remote `origin`, with the longest `insteadOf` that begins it replaced."""
    url, section, instead = "", [""], {"": ""}
    for line in config.split("\n"):
        text = line.strip()
        if text[:1] == "[":
            head, _, text = text[1:].partition("]")
            kind, _, label = head.partition(" ")
            section = [kind.lower(), label.strip().strip('"')]
        given, mark, value = text.partition("=")
        value = value.strip().strip('"')
        if mark and section == _ORIGIN and given.strip().lower() == "url":
            url = url or value
        elif mark and section[0] == "url" and given.strip().lower() == "insteadof" and value:
            instead[value] = section[1]
    start = max([alias for alias in instead if url.startswith(alias)], key=len)
    return instead[start] + url[len(start) :]
