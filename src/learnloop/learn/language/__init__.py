"""From a sentence to a statement: words, clauses, orders, remarks.

Imports nothing else of learn.
"""
