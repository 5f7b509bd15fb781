"""Pure: compiles active lessons into the index that hooks read, explains a recall."""
