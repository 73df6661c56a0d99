"""Who comes in: passwords, second factor, sessions, and the guard that reads what each route needs."""
