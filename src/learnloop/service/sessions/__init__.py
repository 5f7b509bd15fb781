"""Read sessions: the list, the live tail, the story of one. May import lessons."""
