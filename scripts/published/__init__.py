"""Published ratings of real sections against those of the program: `python -m scripts.published`."""
