"""Random kills of an office's commands, on both stores: ``make kills`` (KILLS=10000 for longer)."""
