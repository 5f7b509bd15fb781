"""Learnloop: lessons for coding agents, decided by a person."""

__version__ = "0.1.0"
