"""The state and the timeline of running sessions. Imports no other room of learn."""
