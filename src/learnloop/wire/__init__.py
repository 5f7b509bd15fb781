"""Standard library only, shared with the hooks: how bytes and records cross process borders."""
