"""Which detector read the history."""

DETECTOR = 3
"""Raise it whenever the same words or happenings may be judged otherwise than before."""
