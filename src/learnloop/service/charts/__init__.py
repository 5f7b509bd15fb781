"""Charts as data and as text. Imports no other room of the service."""
