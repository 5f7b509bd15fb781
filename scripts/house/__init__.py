"""What can be counted about the code: circles, names, sizes; each with a ceiling and a goal."""
