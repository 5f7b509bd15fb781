"""Hears prompts: what they say of the turn before, which sentences are lessons, in which words. May import language."""
