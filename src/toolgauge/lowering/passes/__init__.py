"""One file for each pass, found by its name. Passes do not know each other."""
