"""The verbs of `learn`, one file each."""
