"""What tasks taught: priming, and memories as a list."""
