-- Each claim of a run has a number, which every operation of the run names. A run that was open before has the number 0.
ALTER TABLE run ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;

-- One open run for each mailbox. Of several that an earlier program left open, the last stays.
UPDATE delivery SET state = 0, holder = NULL
WHERE state = 1 AND run IN (
  SELECT r.id FROM run r WHERE r.state = 'open'
    AND EXISTS (SELECT 1 FROM run later WHERE later.mailbox = r.mailbox AND later.state = 'open' AND later.seq > r.seq)
);
UPDATE run SET state = 'parked'
WHERE state = 'open'
  AND EXISTS (SELECT 1 FROM run later WHERE later.mailbox = run.mailbox AND later.state = 'open' AND later.seq > run.seq);
CREATE UNIQUE INDEX run_open ON run (mailbox) WHERE state = 'open';
