"""Hears prompts: what they say of the turn before, and which sentences are lessons. May import language."""
