SELECT start_ns, dur_ns, op, shape FROM stage.pass_rows WHERE device = $device ORDER BY place;
