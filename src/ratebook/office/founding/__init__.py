"""A book founded from a folder of what a federation has."""
