"""Reusable pieces that draw lines, rows and fields. May import view."""
