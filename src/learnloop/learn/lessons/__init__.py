"""Drafts and lessons: content, triggers, score, decisions. May import language and feedback."""
