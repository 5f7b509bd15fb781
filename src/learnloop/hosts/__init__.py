"""One module per agent: transcripts, folders, settings file."""
