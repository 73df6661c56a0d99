"""A federation's own face: its logo and its accent colour, checked before a book takes them."""
