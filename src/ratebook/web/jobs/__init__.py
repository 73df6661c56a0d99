"""Jobs: long work that goes on while no browser waits for it, one at a time in the order in which it was asked for."""
