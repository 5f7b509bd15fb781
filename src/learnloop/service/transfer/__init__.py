"""Export, import and forgetting."""
