"""What would be recalled at a moment, and what a lesson would have done."""
