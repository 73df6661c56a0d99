"""The command line of the book: ``ratebook book …``."""
