CASE WHEN typeof({column}) = 'integer' THEN {column}
    WHEN {column} NOT GLOB '*[^0-9]*' THEN {column} END
