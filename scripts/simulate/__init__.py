"""What experiments promise, in worlds with a known truth: `python -m scripts.simulate`."""
