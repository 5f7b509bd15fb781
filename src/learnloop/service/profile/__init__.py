"""Agents, preferences, beliefs and projects, and verdicts on them. May import lessons, sessions, review."""
