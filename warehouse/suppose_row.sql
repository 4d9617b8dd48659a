INSERT INTO temp.{table} ({columns}) VALUES ({marks});
