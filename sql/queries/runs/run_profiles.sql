SELECT rank, format, platform, device_name, captured_at, window_ms, events, gpu_events, kernels,
    gpu_ms, contexts, trust, trust_reasons, source_path
FROM run_summary WHERE label = $label ORDER BY rank, captured_at;
