SELECT regexp_matches('', CAST($pattern AS VARCHAR));
