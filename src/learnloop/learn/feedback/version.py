"""Which detector read the history."""

DETECTOR = 4
"""Raise it whenever the same words or happenings may be judged otherwise than before."""
