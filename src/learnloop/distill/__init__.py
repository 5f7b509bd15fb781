"""A model reads along: finds what was not read yet, asks, and records what of the answer holds."""
