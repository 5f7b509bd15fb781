"""`learn-tui`, the console."""
