"""Backups, and a book as portable files."""
