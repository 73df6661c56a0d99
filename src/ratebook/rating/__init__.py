"""The mathematics: pure, no I/O, no clock, no randomness."""
