"""Figures of the whole federation, for those who look at it for the first time."""
