"""Experiments: started and ended by a person, and what they know."""
