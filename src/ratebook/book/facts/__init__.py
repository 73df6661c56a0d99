"""What the book knows of members beside their ledger: memberships, ratings of other federations, opening balances."""
