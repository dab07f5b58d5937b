"""The games: state, legal moves, chance, what a seat can see, and text for people."""
