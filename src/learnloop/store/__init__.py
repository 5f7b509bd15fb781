"""Segments, TinyDB documents and the transaction that changes them; the only importer of TinyDB."""
