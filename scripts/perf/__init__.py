"""Benchmarks: how fast, as ratios in one run (`python -m scripts.perf`, `make bench`)."""
