"""Flags text that instructs an agent instead of stating a fact (prompt injection).

A flag refuses nothing: the person sees it and decides, and cannot promote a flagged draft in bulk.
"""

import re

_CUES: tuple[tuple[str, str], ...] = (
    ("tells the agent to drop its instructions",
     r"\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|system)\b"
     r"[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|messages?)\b"),
    ("gives the agent another role",
     r"\byou are now\b|\bact as (?:an? )?(?:system|root|admin)|\bsystem prompt\b"),
    ("keeps something from the user",
     r"\b(?:do not|don'?t|never|without)\s+(?:tell|telling|mention|mentioning|inform|informing|ask|asking)\b"
     r"[^.\n]{0,20}\b(?:the )?(?:user|human|person|anyone)\b"),
    ("runs what it downloads",
     r"\b(?:curl|wget)\b[^\n|]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b|\beval\s*\$\("),
    ("switches a safeguard off",
     r"--dangerously-skip-permissions|--no-verify\b|\brm\s+-rf\s+[/~]|\bchmod\s+777\b"),
    ("sends something away",
     r"\b(?:send|post|upload|exfiltrate|forward)\b[^.\n]{0,60}\b(?:to|at)\s+https?://"),
)  # fmt: skip
_RULES = tuple((reason, re.compile(pattern, re.I)) for reason, pattern in _CUES)


def injection_warning(text: str) -> str:
    """Why a text looks like an injection; empty if it does not."""
    return next((reason for reason, rule in _RULES if rule.search(text[:20_000])), "")
