"""Events become effects (pure), and effects become documents in one transaction.

May import hosts, recall, learn and store.
"""
