"""Lessons that agents offer in their output: blocks, sections, discoveries.

May import language and lessons.
"""
