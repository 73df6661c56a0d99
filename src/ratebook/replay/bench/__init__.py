"""What ``ratebook bench`` measures: the full rules against plain Elo, riix and the interpreted engine.

All figures of one run are of the same synthetic games. Nothing here asks a clock; the command line hands one in.
"""
