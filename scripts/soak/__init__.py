"""A simulated year in one store: `python -m scripts.soak`."""
