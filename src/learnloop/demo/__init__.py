"""A made-up store for the console's demo and for pictures, the same at every run; see demo_store."""

from learnloop.demo.demo_store import seed
from learnloop.demo.generated_drafts import seed_queue

__all__ = ["seed", "seed_queue"]
