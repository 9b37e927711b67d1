-- One list of words says how everything ended: a run that was cancelled was stopped.
UPDATE run SET outcome = 'stopped' WHERE outcome = 'cancelled';
UPDATE event SET data = json_set(data, '$.outcome', 'stopped')
WHERE type = 'run.ended' AND json_extract(data, '$.outcome') = 'cancelled';

-- Why a run is incomplete or waits, for what it waits and until when.
ALTER TABLE run ADD COLUMN reason TEXT;
ALTER TABLE run ADD COLUMN waits_for TEXT;
ALTER TABLE run ADD COLUMN waits_until INTEGER;

-- Why a delivery is dead: it failed, or a limit was reached. Earlier ones do not say, so they count as failed.
ALTER TABLE delivery ADD COLUMN dead_outcome TEXT;
UPDATE delivery SET dead_outcome = 'failed' WHERE state = 3;

-- The sender waits for the answer: the delivery has a run of its own.
ALTER TABLE delivery ADD COLUMN awaited INTEGER NOT NULL DEFAULT 0;
