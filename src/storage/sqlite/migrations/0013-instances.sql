-- Each start of a workspace without a folder of its own is an instance, counted from 1. An earlier instance has a row
-- and a key of its own, with everything that was said and done in it.

ALTER TABLE workspace ADD COLUMN instance INTEGER NOT NULL DEFAULT 1;
ALTER TABLE workspace ADD COLUMN earlier INTEGER NOT NULL DEFAULT 0;

-- Whether the channel is also written to a file. Until now the provider alone decided it.

ALTER TABLE workspace ADD COLUMN mirrored INTEGER NOT NULL DEFAULT 0;
UPDATE workspace SET mirrored = 1 WHERE provider = 'file';
