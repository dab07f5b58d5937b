"""The meld solver, and the agents that search."""
