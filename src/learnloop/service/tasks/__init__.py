"""Tasks and the logs of days."""
