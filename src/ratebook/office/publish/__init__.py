"""Official lists."""
