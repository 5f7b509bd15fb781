"""Status, doctor, and what went unnoticed."""
