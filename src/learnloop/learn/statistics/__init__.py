"""What can be known from counts: comparisons of arms, and how long they take. Pure."""
