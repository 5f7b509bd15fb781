"""Facts that a model reads in prompts: what it is asked, and what of its answers holds. Pure."""
