-- The chain of messages a ballot belongs to, and whether its voters were reminded. Null for earlier ballots: what is said
-- about them begins a chain of its own.

ALTER TABLE ballot ADD COLUMN announcement TEXT;
ALTER TABLE ballot ADD COLUMN reminded_at INTEGER;

-- The role that a person or a ballot gave a participant.

ALTER TABLE participant ADD COLUMN role TEXT;

-- The kickoff that waits until the owner of the documents is elected, as JSON.

ALTER TABLE workflow_instance ADD COLUMN kickoff TEXT;
