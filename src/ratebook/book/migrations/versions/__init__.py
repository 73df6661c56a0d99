"""The versions of the tables, in order."""
