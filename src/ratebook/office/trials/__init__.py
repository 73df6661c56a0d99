"""What decisions would do: computed as if it were kept, and taken back."""
