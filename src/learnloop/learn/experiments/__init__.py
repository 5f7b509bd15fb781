"""Experiments as decisions left them, and what their moments show. Pure."""
