"""Sessions: the list, the live tail, one story."""
