"""A made-up store for the console's demo and for pictures, the same at every run. May import service."""
