-- The model that answered the last step of a run, as provider/model. Null for runs before this migration.

ALTER TABLE run ADD COLUMN model TEXT;
