"""Pages about one player, and the search for players."""
