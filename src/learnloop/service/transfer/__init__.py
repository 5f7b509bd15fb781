"""Export, import and forgetting. May import every room of the service but intake and health."""
