"""Screens that ask one thing and return an answer. May import widgets, bridge and view."""
