"""The upload files of US Chess: the current format 2C, and the layout of 1991."""
