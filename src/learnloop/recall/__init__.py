"""Compiles active lessons into the index that hooks read, and explains a recall. Pure. May import learn."""
