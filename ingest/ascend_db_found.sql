SELECT (SELECT count(*) FROM stage.work),
    (SELECT count(*) FROM stage.PYTORCH_API) + (SELECT count(*) FROM stage.CANN_API);
