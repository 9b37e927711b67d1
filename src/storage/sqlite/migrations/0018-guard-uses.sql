-- What the guard asked its models, outside of the steps of runs.
CREATE TABLE guard_use (
  seq           INTEGER PRIMARY KEY,
  mailbox       TEXT NOT NULL,
  day           TEXT NOT NULL,
  space         TEXT NOT NULL,
  run           TEXT,
  purpose       TEXT NOT NULL,
  model         TEXT NOT NULL,
  outcome       TEXT NOT NULL,
  reason        TEXT,
  wall_ms       INTEGER NOT NULL,
  input_tokens  INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  usd           REAL,
  at            INTEGER NOT NULL
) STRICT;

CREATE INDEX guard_use_of_day ON guard_use (mailbox, day);
CREATE INDEX guard_use_of_run ON guard_use (run) WHERE run IS NOT NULL;
