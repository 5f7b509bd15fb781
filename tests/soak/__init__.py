"""A simulated year in one store: `python -m tests.soak`."""
