-- A step keeps what it added to the transcript of the step before: `continues` is 1. Earlier steps, and those of engines
-- that replace their transcript, have a whole one: 0. No earlier row is rewritten.

ALTER TABLE step ADD COLUMN continues INTEGER NOT NULL DEFAULT 0;

-- When the transcript, the tool calls and the receipt of an ended run were removed; null as long as they are there.

ALTER TABLE run ADD COLUMN details_removed_at INTEGER;

CREATE INDEX run_with_details ON run (ended_at, id) WHERE state = 'ended' AND details_removed_at IS NULL;

-- Runs and deliveries of a workspace are found when it is removed. A message is removed without reading all deliveries.

CREATE INDEX run_of_space ON run (space, id);

CREATE INDEX delivery_of_message ON delivery (message);

CREATE INDEX delivery_dead_in ON delivery (space) WHERE state = 3;
