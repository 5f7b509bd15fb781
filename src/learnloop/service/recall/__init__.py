"""Recall explained at a moment, and a lesson tried on recorded events. May import lessons."""
