"""Games from files that a user has, as a history: tennis results, Kaggle's chess ratings competitions, a plain CSV."""
