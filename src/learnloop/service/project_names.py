"""Projects as people call them: by the folder's name, with its parent where two would have the same."""

from collections.abc import Iterable, Mapping


def names(paths: Iterable[str]) -> Mapping[str, str]:
    """For every path as many of its last parts as tell it from the other paths, `/` between them."""
    every = sorted({path for path in paths if path})
    return {path: _name(path, [other for other in every if other != path]) for path in every}


def _name(path: str, others: Iterable[str]) -> str:
    parts = path.strip("/").split("/")
    alike = [other.strip("/").split("/") for other in others]
    for count in range(1, len(parts)):
        if parts[-count:] not in (other[-count:] for other in alike):
            return "/".join(parts[-count:])
    return path.strip("/") or path
