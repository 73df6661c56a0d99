"""Pages about events and their sections."""
