"""Triads' graphs: `.claude/graphs/*.json`, Concept nodes with a process type."""

from pathlib import Path
from typing import Any

from learnloop.errors import Unreadable
from learnloop.importers.import_items import Doc, ImportBatch, ImportItem, files_in, json_of, words_of

RULE = "import:triads"
_FIELDS = (
    "process_type", "priority", "label", "description", "confidence", "evidence", "trigger_conditions",
    "checklist", "pattern", "warning", "requirement",
)  # fmt: skip


def read(path: Path) -> ImportBatch:
    """The process knowledge of a graph, or of a folder of graphs; raises Unreadable where there is none.

    Of a folder, a file that is no graph is left out by name.
    """
    batch = ImportBatch()
    files = files_in(path, "*.json", batch) if path.is_dir() else [path]
    if not files:
        raise Unreadable(f"there are no graphs in {path}", "name .claude/graphs or a file in it")
    for file in files:
        try:
            nodes = _nodes(file)
        except Unreadable as error:
            if len(files) == 1:
                raise
            batch.skip(str(file), error.message.removeprefix(str(file)).lstrip(": "))
            continue
        for number, node in enumerate(nodes, 1):
            if isinstance(node, dict) and node.get("type") == "Concept" and node.get("process_type"):
                batch.items.append(_item(file, number, node))
    return batch


def _nodes(file: Path) -> list[Any]:
    """The nodes of a graph; raises Unreadable where the file is none."""
    graph = json_of(file)
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    if not isinstance(nodes, list):
        raise Unreadable(f"{file} is no graph: it has no list of nodes", "name .claude/graphs")
    return nodes


def _item(file: Path, number: int, node: Doc) -> ImportItem:
    fields = {name: node[name] for name in _FIELDS if node.get(name) not in (None, "", {}, [])}
    name = words_of(node.get("id"), 100) or f"node {number}"
    words = words_of(node.get("label")) or words_of(node.get("description"))
    return ImportItem(RULE, words, f"{file} {name}", fields, words_of(node.get("created_at"), 40))
