"""Benchmarks: how fast, as ratios in one run (`python -m tests.perf`, `make bench`)."""
