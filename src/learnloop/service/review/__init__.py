"""Decide about lessons: verdicts, their checks, trust. May import sessions and lessons."""
