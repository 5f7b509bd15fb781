"""Undo, redo and the list of decisions: they span lessons, beliefs and patches. May import all of these."""
