"""profdb: a SQL warehouse of LLM-inference profiling runs."""
