"""Events become sessions, turns and outcomes, and these become documents."""
