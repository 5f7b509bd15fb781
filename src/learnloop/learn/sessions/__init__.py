"""What a session is doing, and what happened in it.

Imports nothing else of learn.
"""
