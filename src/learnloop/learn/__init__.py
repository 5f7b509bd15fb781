"""Pure rules: detection, drafts, statements, fingerprints."""
