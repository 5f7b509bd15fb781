"""The version of the detector, stored with what it judged."""

DETECTOR = 5
"""Raise it whenever the same words or events may be judged differently than before."""
