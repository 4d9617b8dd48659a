"""Paired measurements: two things in one run, since machines are noisy."""
