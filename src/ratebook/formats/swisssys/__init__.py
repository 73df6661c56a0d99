"""Events of SwissSys 11, as the program saves them."""
