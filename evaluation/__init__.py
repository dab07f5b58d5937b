"""Deals, matches and what they prove."""
