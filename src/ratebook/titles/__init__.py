"""Titles: norms, what they add up to over a career, and rating classes.

What it does not do: it rates nothing and stores nothing; the floor of the original Life Master is in ``rating``.
"""
