"""Hooks installed and switched, and the settings file. May import review."""
