"""Lists, reports and corrections in bulk."""
