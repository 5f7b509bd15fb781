"""What panes show, as frozen values and lines.

Pure: imports no other room of the console, calls no service.
"""
