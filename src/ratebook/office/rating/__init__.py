"""Rating what is ready, rating again, verifying, explaining."""
