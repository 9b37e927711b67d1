-- A store knows its own id. The home remembers the ids of the stores it made, so that a store that came with a stranger's
-- folder is noticed.

ALTER TABLE meta ADD COLUMN store_id TEXT NOT NULL DEFAULT '';
UPDATE meta SET store_id = lower(hex(randomblob(16)));
