"""Lessons and discoveries in the output of agents. May import language and lessons."""
