-- Summaries of ranges of messages, in levels. They are derived from messages and conversation files.
CREATE TABLE summary (
  space TEXT NOT NULL,
  level INTEGER NOT NULL,
  from_message INTEGER NOT NULL,
  to_message INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  text TEXT NOT NULL,
  model TEXT,
  failure TEXT,
  attempts INTEGER NOT NULL,
  senders TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (space, level, from_message)
) STRICT, WITHOUT ROWID;

-- When a person cleared the conversation of an agent: summaries contain nothing archived before that. It is not known for
-- conversations that exist already, so nothing that is archived now is summarised.
ALTER TABLE conversation ADD COLUMN cleared_at INTEGER NOT NULL DEFAULT 0;
UPDATE conversation SET cleared_at = unixepoch() * 1000;

-- How often an entry was recalled.
ALTER TABLE memory_use ADD COLUMN times INTEGER NOT NULL DEFAULT 1;

-- What the guard changed when it tidied up the memory of an agent, and what it asks the agent's person.
CREATE TABLE memory_change (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  subject TEXT NOT NULL,
  reason TEXT NOT NULL,
  details TEXT NOT NULL,
  at INTEGER NOT NULL,
  decided_at INTEGER
) STRICT;
CREATE INDEX memory_change_agent ON memory_change (agent, seq);

-- When the memory of an agent was last tidied up.
CREATE TABLE memory_tidied (
  agent TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
