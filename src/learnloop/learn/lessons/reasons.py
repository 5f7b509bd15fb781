"""Reasons for rejecting drafts: a few fixed words, the same at every door."""

OTHER = "other"
REJECTING = {
    "wrong": "not true, or not any more", "one-off": "only meant that once",
    "duplicate": "another lesson says it", "already known": "the agent does that anyway",
    "too vague": "nothing to act on", OTHER: "in your words",
}  # fmt: skip
"""The reasons with their meanings."""

LETTERS = {"wrong": "w", "one-off": "o", "duplicate": "d", "already known": "a", "too vague": "v", OTHER: "e"}
"""The key of each reason, in the console and in plain triage. Digits work too; `other` is 0."""

_SPOKEN = {name.replace("-", " "): name for name in REJECTING}


def normalise_reason(reason: str) -> str:
    """The fixed reason that a text means (`Too_Vague` is `too vague`), else the text on one line."""
    words = " ".join(reason.split())
    return _SPOKEN.get(" ".join(words.lower().replace("-", " ").replace("_", " ").split()), words)


def reason_for_key(key: str) -> str:
    """The reason for a letter or digit; empty if there is none."""
    names = list(REJECTING)
    if key.isascii() and key.isdigit():
        return OTHER if key == "0" else names[int(key) - 1] if int(key) < len(names) else ""
    return next((name for name in names if LETTERS[name] == key.lower()), "")
