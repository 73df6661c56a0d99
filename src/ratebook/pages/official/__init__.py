"""Pages about what a federation publishes: official lists, rankings, titles."""
