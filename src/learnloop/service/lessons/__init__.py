"""Lessons as they are read: documents, rows, queue, lookup, filters."""
