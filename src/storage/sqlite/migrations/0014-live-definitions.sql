-- A participant holds its membership only: its definition is read from the files when a run begins. `ref` is the agent
-- of the project that it is; null for an agent that exists only in its workspace.

ALTER TABLE participant ADD COLUMN ref TEXT;
UPDATE participant SET ref = CASE
  WHEN is_ref = 1 THEN agent
  WHEN json_valid(definition) AND json_extract(definition, '$.name') <> agent THEN json_extract(definition, '$.name')
END;
ALTER TABLE participant DROP COLUMN is_ref;
ALTER TABLE participant DROP COLUMN definition;
ALTER TABLE participant DROP COLUMN prompt_append;
CREATE INDEX participant_of_ref ON participant (ref) WHERE ref IS NOT NULL;

-- An agent has one mailbox under every name. `agent` is its name in the space where that is another than the mailbox
-- says. All instances of a workspace had the mailbox of the current one.
CREATE TEMP VIEW renamed AS
  SELECT p.space, p.agent, p.ref, p.agent || '@' || w.workflow || ':' || w.tag AS mailbox
  FROM participant p JOIN workspace w ON w.key = p.space WHERE p.ref <> p.agent;

ALTER TABLE delivery ADD COLUMN agent TEXT;
UPDATE delivery SET agent = r.agent, mailbox = r.ref FROM renamed r
WHERE r.space = delivery.space AND r.mailbox = delivery.mailbox;

-- `definition` says which files a run was made from, as JSON.
ALTER TABLE run ADD COLUMN agent TEXT;
ALTER TABLE run ADD COLUMN definition TEXT;
UPDATE run SET agent = r.agent, mailbox = r.ref FROM renamed r WHERE r.space = run.space AND r.mailbox = run.mailbox;

DROP VIEW renamed;

ALTER TABLE approval RENAME COLUMN mailbox TO agent;
UPDATE approval SET agent = substr(agent, 1, instr(agent, '@') - 1) WHERE instr(agent, '@') > 0;

-- The file that a workspace was started from by its path; null for a workflow of the project.
ALTER TABLE workspace ADD COLUMN file TEXT;
