-- Whose words a message of the system or of a rule is: a kickoff without the output of commands is the person's own.
-- Null when it may quote others, as all earlier messages may.

ALTER TABLE message ADD COLUMN on_behalf_of TEXT;
