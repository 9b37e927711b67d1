-- Agents that a person stopped. Each takes no work until something new comes for it, also after a restart.
CREATE TABLE agent_stop (
  mailbox TEXT PRIMARY KEY,
  at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
