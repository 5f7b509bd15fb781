"""The public face that console and command line call, a module per area."""
