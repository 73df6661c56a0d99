"""The commands of ``ratebook web``: serving a book, accounts, tokens."""
