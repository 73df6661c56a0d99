"""What is followed member by member: months, losses, changes of ratings, and how far these are behind."""
