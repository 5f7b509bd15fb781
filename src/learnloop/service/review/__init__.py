"""Decide about lessons: verdicts, their checks, trust, muted rules. May import sessions and lessons."""
