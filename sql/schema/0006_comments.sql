-- What readers and sources of contexts there are by now.

COMMENT ON COLUMN profiles.format IS 'Reader that stored it: chrome (Kineto and other Chrome JSON), ascend_csv (kernel tables), ascend_db (databases), ascend_trace (timelines) or ascend_tasks (task_time tables).';
COMMENT ON COLUMN contexts.source IS 'How it was found: annotation, device annotation, profiler step, step id, or inferred from the sequence of kernels.';
