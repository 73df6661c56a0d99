"""The web: a book in a browser. Public pages, the director's and the office's rooms, and the interface for programs."""
