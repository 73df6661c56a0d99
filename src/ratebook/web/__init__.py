"""The web: a book in a browser. Public pages, signed-in pages, the interface for programs."""
