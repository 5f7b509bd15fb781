"""The seven panes, the welcome page, and what panes share. May import dialogs, widgets, bridge and view."""
