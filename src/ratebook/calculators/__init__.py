"""Calculators for documents that are not dated rules: 1995, the approximation of 2001, Glicko as on FICS.

They are for one player and one list of games, explain every intermediate value, and rate no events.
"""
