"""What a book has of a person taken out: reports in every version, and whatever names the person."""
