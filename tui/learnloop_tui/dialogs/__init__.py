"""Screens that ask one thing and return an answer."""
