"""Detects feedback in prompts and judges the turn before them. May import language."""
