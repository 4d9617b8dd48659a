"""profdb reports."""
