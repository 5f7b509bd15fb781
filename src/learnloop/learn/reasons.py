"""Why drafts are turned down: a few standing words, the same everywhere, so that they can be counted."""

OTHER = "other"
REJECTING = {
    "wrong": "not true, or not any more",
    "one-off": "only meant that once",
    "duplicate": "another lesson says it",
    "already known": "the agent does that anyway",
    "too vague": "nothing to act on",
    OTHER: "in your words",
}
"""The reasons for rejecting with what they mean. Whatever else is typed is `other` in one's own words."""

_SPOKEN = {name.replace("-", " "): name for name in REJECTING}


def normal(reason: str) -> str:
    """The standing word that is meant (`Too_Vague` is `too vague`), else the words themselves on one line."""
    words = " ".join(reason.split())
    return _SPOKEN.get(" ".join(words.lower().replace("-", " ").replace("_", " ").split()), words)


def counted(reason: str | None) -> str:
    """Under which of the standing words a stored reason counts; empty where none was given."""
    return "" if not reason else reason if reason in REJECTING else OTHER
