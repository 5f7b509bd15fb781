"""How promising a draft is, and the one number that orders the queue. Pure; pydantic is not loaded here.

Strength = 100 · (0.55 · confidence + 0.25 · promise + 0.20 · repeats) · trust, where repeats = 1 − 1/seen,
promise is the score's `overall`, and trust is 1 for a person's words, 0.85 for an agent's and 0.6 for pasted
or imported ones. What an agent says of its own certainty counts as 0.5 at most.
"""

TRUST_FACTOR = {"user": 1.0, "agent": 0.85, "external": 0.6}
CLAIMED_MOST = 0.5
"""What an agent's own confidence counts at most, so that no draft heads the queue by it alone."""


def believed(confidence: float, trust: str) -> float:
    """How much of a confidence counts."""
    return min(confidence, CLAIMED_MOST) if trust == "agent" else confidence


def strength(confidence: float, promise: float, seen: int, trust: str) -> int:
    """How much speaks for a lesson, 0–100."""
    sure = believed(confidence, trust)
    parts = 0.55 * sure + 0.25 * (promise or sure) + 0.20 * (1 - 1 / max(seen, 1))
    return round(100 * min(parts, 1.0) * TRUST_FACTOR.get(trust, TRUST_FACTOR["external"]))
