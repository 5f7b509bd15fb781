"""Drafts and lessons: content, triggers, strength, decisions.

May import language and feedback.
"""
