"""Agents, preferences, beliefs and project patterns as they are shown."""
