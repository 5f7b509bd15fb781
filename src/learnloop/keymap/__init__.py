"""The console's commands and keys as plain data. Imports the standard library only; anyone may import it."""
