"""Other systems that rate the same sections: Elo, Glicko, and no new rating between official lists."""
