-- When a person paused the schedule; null while it is not paused.
ALTER TABLE schedule ADD COLUMN paused_at INTEGER;
