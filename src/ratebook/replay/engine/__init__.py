"""The only compiled loop and its parts."""
