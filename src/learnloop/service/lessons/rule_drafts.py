"""The outcomes of each rule's drafts, and the muted rules: read from documents and decisions."""

from learnloop.learn.lessons import draft_rules, folding
from learnloop.service.lessons import documents
from learnloop.wire import paths, regular


def drafted(root: str) -> list[draft_rules.DraftOutcome | None]:
    """The outcome of every lesson as its rule's draft; None where no rule made it."""
    return [draft_rules.draft_outcome(doc) for doc in documents.lessons(root).values()]


def threshold(root: str) -> int:
    """The strength, 0–100, below which drafts are folded, as the verdicts say."""
    return folding.least_strength(documents.lessons(root).values())


def muted_rules(root: str) -> frozenset[str]:
    """The muted rules; decisions are read only where one of them mutes something."""
    try:
        written = regular.content(paths.store(root) + "/decisions.json")
    except OSError:
        return frozenset()
    if b'"mute"' not in written:
        return frozenset()
    return folding.muted_rules(documents.decisions(root))
