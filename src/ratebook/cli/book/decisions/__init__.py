"""Commands by which the office changes what the book has: events corrected, members added, corrected, adjusted."""
