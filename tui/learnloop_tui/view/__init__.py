"""What panes show, as frozen values and lines. Pure: no widgets, no service calls."""
