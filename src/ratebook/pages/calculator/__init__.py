"""Estimates as people read them."""
