"""profdb ingest."""
