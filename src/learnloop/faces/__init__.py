"""How each kind of thing is told, once, for the console and the command line: plain data that they draw."""
