"""`learn`: one module per group of verbs."""
