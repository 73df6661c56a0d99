"""Commands about whole histories and invented federations."""
