"""Change prompt files: proposals, previews, commits, outcomes. May import profile, review and lessons."""
