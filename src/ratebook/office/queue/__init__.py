"""Reports from their arrival until they are ready to be rated."""
