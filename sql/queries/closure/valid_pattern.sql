-- Whether a text is a regular expression (RE2): fails where it is none.
SELECT regexp_matches('', $pattern) AS valid;
