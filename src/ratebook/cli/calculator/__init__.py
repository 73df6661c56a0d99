"""Commands that need neither a report nor a book: rules, estimates, conversions, Glicko."""
