"""Turns a sentence into a statement: words, clauses, orders, remarks. Imports no other room of learn."""
