"""What is known of a project already, as a model is told it: a statement a line."""

from learnloop.store.store import Store

MOST_LINES, MOST_CHARS = 50, 6_000


def summary(root: str, project: str) -> str:
    """The newest statements in use in a project."""
    docs = [
        doc for doc in Store(root).documents("lessons").values()
        if doc.get("status") == "active" and (doc.get("scope") == "global" or doc.get("project") == project)
    ]  # fmt: skip
    newest = sorted(docs, key=lambda doc: str(doc.get("updated", "")), reverse=True)
    lines = [str(doc.get("statement", "")) for doc in newest[:MOST_LINES]]
    return "\n".join(filter(None, lines))[:MOST_CHARS]
