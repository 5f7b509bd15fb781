"""The main screen, the palette, messages, and the notice on a small terminal.

May import panes and what is below.
"""
