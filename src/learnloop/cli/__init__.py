"""The plumbing of `learn`: parser, output, errors. The verbs are in `commands`.

May import service and keymap.
"""
