"""Pairings and results by round and board, as text."""
