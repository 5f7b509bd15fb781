"""Tasks: what was asked for, how it went, and what a day's tasks show."""
