"""Prompt patches: proposals, blocks and diffs (pure), and files (apply, revert).

May import learn and store.
"""
