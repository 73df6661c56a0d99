"""What programs do for the account whose token they have."""
