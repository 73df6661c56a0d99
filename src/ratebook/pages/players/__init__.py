"""Players beside each other: who a search finds, and what two of them have in common."""
