"""Plays scenarios with the real client (`make e2e`)."""
