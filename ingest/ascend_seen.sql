SELECT sum(seen) FROM stage.ledger;
