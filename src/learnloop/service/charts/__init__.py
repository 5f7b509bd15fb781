"""Charts as data and as text."""
