"""Persons erased from what a web server keeps beside the book."""
