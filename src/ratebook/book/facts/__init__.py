"""What the book knows of members beside their ledger: memberships, foreign ratings, opening balances, seats."""
