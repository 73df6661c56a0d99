"""Games from files that a user has, as a history."""
