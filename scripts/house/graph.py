"""Circles in the import graph, imports inside functions and under TYPE_CHECKING included."""

from collections import defaultdict
from collections.abc import Mapping, Set

import grimp

Arrows = Mapping[str, Set[str]]
"""What each node imports."""


def file_imports(*packages: str) -> Arrows:
    """The modules that each module of the packages imports.

    `from package import module` counts as an import of the module, not of the package. Modules that are
    loaded by a computed name (`import_module`) do not count.
    """
    graph = grimp.build_graph(
        packages[0], *packages[1:],
        include_external_packages=False, exclude_type_checking_imports=False, cache_dir=None,
    )  # fmt: skip
    return {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}


def room_imports(files: Arrows) -> Arrows:
    """The rooms that each room imports.

    A room is a package. Modules that sit directly in a package share its room with `__init__`.
    """
    room = _rooms(files)
    arrows: dict[str, set[str]] = defaultdict(set)
    for name, imported in files.items():
        arrows[room[name]] |= {room[other] for other in imported} - {room[name]}
    return arrows


def single_importers(files: Arrows) -> dict[str, str]:
    """The modules that one module alone imports, in their own room, and which: each is a part of that one."""
    room, importers = _rooms(files), defaultdict(set)
    for name, imported in files.items():
        for other in imported:
            importers[other].add(name)
    alone = {name: next(iter(names)) for name, names in importers.items() if len(names) == 1}
    return {
        name: importer for name, importer in sorted(alone.items())
        if room[name] == room[importer] and name != room[name] and importer != room[importer]
    }  # fmt: skip


def _rooms(files: Arrows) -> dict[str, str]:
    packages = {name.rpartition(".")[0] for name in files}
    return {name: name if name in packages else name.rpartition(".")[0] or name for name in files}


def circles(arrows: Arrows) -> list[list[str]]:
    """Groups of nodes that all reach each other, the largest first, each sorted."""
    reached = {node: _reached(arrows, node) for node in arrows}
    groups = {frozenset(other for other in reached[node] if node in reached[other]) for node in arrows}
    return sorted(
        (sorted(group) for group in groups if len(group) > 1), key=lambda group: (-len(group), group)
    )


def _reached(arrows: Arrows, start: str) -> set[str]:
    """All nodes that imports lead to from a node, without the node itself unless they lead back."""
    reached: set[str] = set()
    waiting = list(arrows[start])
    while waiting:
        node = waiting.pop()
        if node not in reached:
            reached.add(node)
            waiting.extend(arrows.get(node, ()))
    return reached
