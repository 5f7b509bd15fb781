"""The seven panes and what they share."""
