"""Hooks installed and switched, and the settings file."""
