"""Which numbers hold on which day."""
