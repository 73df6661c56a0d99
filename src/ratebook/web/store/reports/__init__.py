"""Reports in the web store: what directors try, and what the office notes on those that came."""
