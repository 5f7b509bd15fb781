"""Patches to prompt files: proposal, preview, commit, outcome."""
