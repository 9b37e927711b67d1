-- Changes of souls that were put forward. What was approved is in the agent's own file.
CREATE TABLE soul_proposal (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  agent       TEXT NOT NULL,
  source      TEXT NOT NULL,
  author      TEXT NOT NULL,
  observation TEXT NOT NULL,
  change      TEXT NOT NULL,
  evidence    TEXT NOT NULL,
  space       TEXT,
  run         TEXT,
  heard       TEXT NOT NULL,
  outside     INTEGER NOT NULL,
  times       INTEGER NOT NULL,
  state       TEXT NOT NULL,
  decided_by  TEXT,
  reason      TEXT,
  version     INTEGER,
  created_at  INTEGER NOT NULL,
  decided_at  INTEGER
) STRICT;
CREATE INDEX soul_proposal_of_agent ON soul_proposal (agent, seq);
CREATE INDEX soul_proposal_open ON soul_proposal (agent, seq) WHERE state = 'open';

-- Who wrote documents, for whoever looks for habits. Partial, so that no other event pays for it.
CREATE INDEX event_document_written ON event (seq) WHERE type = 'document.written';

-- Proposals written as data: what they wait for, and what they then propose. "seen" is the last event they looked at,
-- null while their workspace is closed: those cost nothing however many there are.
CREATE TABLE rule (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  space        TEXT NOT NULL,
  name         TEXT NOT NULL,
  author       TEXT NOT NULL,
  author_kind  TEXT NOT NULL,
  condition    TEXT NOT NULL,
  consequence  TEXT NOT NULL,
  most         INTEGER NOT NULL,
  fired        INTEGER NOT NULL,
  total        INTEGER NOT NULL,
  seen         INTEGER,
  resting      INTEGER NOT NULL,
  last_fired_at INTEGER,
  last_refusal TEXT,
  created_at   INTEGER NOT NULL,
  UNIQUE (space, name)
) STRICT;
CREATE INDEX rule_at_work ON rule (seq) WHERE seen IS NOT NULL;
