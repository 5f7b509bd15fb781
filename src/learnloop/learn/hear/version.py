"""The version of the detector, stored with what it judged."""

DETECTOR = 11
"""Raise it whenever the same words or events may be judged differently, or make further documents."""
