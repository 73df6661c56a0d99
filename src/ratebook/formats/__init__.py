"""Formats in and out."""
