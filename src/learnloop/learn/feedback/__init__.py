"""Whether a prompt is feedback, and what it says of the turn before it.

May import language.
"""
