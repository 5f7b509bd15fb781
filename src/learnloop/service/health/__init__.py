"""The doctor, the status line and the Health report. May import every other room of the service."""
