SELECT device, count(*) FROM stage.pass_rows GROUP BY device ORDER BY device;
