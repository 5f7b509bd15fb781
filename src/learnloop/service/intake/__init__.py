"""How lessons get in other than by hooks: backfill, imports, drafting."""
