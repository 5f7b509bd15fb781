"""Readers of other tools' files; each yields items that become drafts. May import hosts, store and learn."""
