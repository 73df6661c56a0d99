"""The work of an office that keeps a book: submit, rate, correct, re-rate, verify, publish."""
