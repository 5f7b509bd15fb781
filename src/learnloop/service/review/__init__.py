"""What a person decides about lessons: verdicts and what is checked before them."""
