"""Rated reports as JSON and CSV."""
