"""The outcomes of each rule's drafts, and the muted rules: read from documents and decisions."""

from learnloop.learn.lessons import draft_rules
from learnloop.service.lessons import documents
from learnloop.wire import paths, regular


def drafted(root: str) -> list[draft_rules.DraftOutcome | None]:
    """The outcome of every lesson as its rule's draft; None where no rule made it."""
    return [draft_rules.draft_outcome(doc) for doc in documents.lessons(root).values()]


def threshold(root: str) -> int:
    """The strength, 0–100, below which drafts are folded, as the verdicts say."""
    docs = documents.lessons(root).values()
    judged = (draft_rules.draft_outcome(doc) for doc in docs if doc.get("status") != "draft")
    return round(100 * draft_rules.threshold(judged))


def muted_rules(root: str) -> frozenset[str]:
    """The muted rules; decisions are read only where one of them mutes something."""
    try:
        written = regular.content(paths.store(root) + "/decisions.json")
    except OSError:
        return frozenset()
    if b'"mute"' not in written:
        return frozenset()
    from learnloop.learn.lessons.decisions import effective_decisions

    rules: set[str] = set()
    for decision in effective_decisions(documents.decisions(root)):
        rule = decision.args.get("rule")
        if isinstance(rule, str) and decision.action in ("mute", "unmute"):
            (rules.add if decision.action == "mute" else rules.discard)(rule)
    return frozenset(rules)
