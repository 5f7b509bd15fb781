"""Claude Code: its settings file, its transcripts, its version."""
