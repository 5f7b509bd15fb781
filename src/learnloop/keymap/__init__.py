"""The table of console commands and the keys a person gives them. No terminal needed."""
