"""The FIDE tournament report file, editions of 2016 and 2026."""
