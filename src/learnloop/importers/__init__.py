"""Readers of other tools' data; each yields drafts."""
