-- What the transaction is about to commit, against what the ledger says.
SELECT
    (SELECT count(*) FROM kernels AS k WHERE k.profile_id = i.profile_id)
        + (SELECT count(*) FROM events AS e WHERE e.profile_id = i.profile_id)
        + (SELECT count(*) FROM vendor_operators AS v WHERE v.profile_id = i.profile_id)
        + (SELECT count(*) FROM vendor_steps AS v WHERE v.profile_id = i.profile_id)
        + (SELECT count(*) FROM vendor_calls AS v WHERE v.profile_id = i.profile_id)
        + (SELECT count(*) FROM vendor_collectives AS v WHERE v.profile_id = i.profile_id)
        + (SELECT count(*) FROM vendor_rows AS v WHERE v.profile_id = i.profile_id)
        -- Pauses that are rows of a vendor's table are counted there.
        - (SELECT count(*) FROM stage.pauses WHERE is_row) AS rows_stored,
    l.seen, l.stored, l.set_aside
FROM ids AS i
CROSS JOIN (
    SELECT sum(seen) AS seen, sum(stored) AS stored, sum(set_aside) AS set_aside FROM stage.ledger
) AS l;
