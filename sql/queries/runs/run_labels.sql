SELECT label FROM runs ORDER BY label;
