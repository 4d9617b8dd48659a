CASE typeof({column}) WHEN 'real' THEN printf('%!.17g', {column}) ELSE {column} END
