"""How good the search of earlier tasks is, on histories that somebody names: `make quality TASKS=FILE`."""
