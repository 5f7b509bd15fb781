"""A made-up store for the console's demo and for pictures, the same at every run; see demo_store."""

from learnloop.demo.demo_store import seed

__all__ = ["seed"]
