"""What spans lessons, beliefs and patches: undo, redo and the list of decisions in sentences.

May import patches, profile, review, sessions and lessons.
"""
