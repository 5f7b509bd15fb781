"""Counts of one arm, as sums over its sessions. Sums of parts can be added, so nothing is counted twice."""

from typing import NamedTuple

MOST_OF_SESSION = 5
"""A session with more moments counts as one with so many: a few very long ones would decide alone."""


class ArmSums(NamedTuple):
    """Moments and events of an arm, and the sums of their squares and products by session."""

    sessions: int = 0
    moments: float = 0
    events: float = 0
    squared_moments: float = 0
    products: float = 0
    squared_events: float = 0

    def plus(self, other: "ArmSums") -> "ArmSums":
        """The sums of both, which have no session in common."""
        return ArmSums._make(mine + theirs for mine, theirs in zip(self, other, strict=True))

    @property
    def rate(self) -> float:
        """Events per moment; 0 without moments."""
        return self.events / self.moments if self.moments else 0.0

    @property
    def variance(self) -> float:
        """The variance of the rate with sessions as clusters."""
        rate = self.rate
        squares = self.squared_events - 2 * rate * self.products + rate * rate * self.squared_moments
        return max(squares, 0.0) / self.moments**2 if self.moments else 0.0


def weight(moments: float) -> float:
    """What each moment of a session counts, so that no session counts more than `MOST_OF_SESSION`."""
    return min(1.0, MOST_OF_SESSION / moments) if moments else 1.0


def of_session(moments: float, events: float) -> ArmSums:
    """The sums of one session."""
    moments, events = moments * weight(moments), events * weight(moments)
    return ArmSums(1, moments, events, moments * moments, moments * events, events * events)
