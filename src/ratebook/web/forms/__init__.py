"""Forms of those who are signed in: what they ask for, what was sent, and doing it once."""
