-- Pauses of the recording stand among the events, on a track of their device and stream.
CREATE OR REPLACE VIEW stage.all_events AS
FROM stage.events
UNION ALL BY NAME
SELECT 'device pause' AS category, 'X' AS ph, name, CAST(device AS VARCHAR) AS process,
    CAST(stream AS VARCHAR) AS thread, start_ns, dur_ns
FROM stage.pauses;
