-- Since when a run waits. For one that waits already, its last sign of life.
ALTER TABLE run ADD COLUMN waits_since INTEGER;
UPDATE run SET waits_since = coalesce((SELECT max(finished_at) FROM step WHERE step.run = run.id), started_at)
WHERE waits_for IS NOT NULL AND state <> 'ended';
