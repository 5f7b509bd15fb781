"""Prompt patches: plan (pure) and files (apply, revert)."""
