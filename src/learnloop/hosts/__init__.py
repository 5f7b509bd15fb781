"""Agents: their settings files, transcripts and prompt files, and the deployed hook copy.

May import store, learn.
"""
