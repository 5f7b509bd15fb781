"""Vectors, by a tiny model that the tests make themselves."""
