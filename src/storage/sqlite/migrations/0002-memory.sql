-- What the guard has to know between runs.

CREATE TABLE receipt (
  run     TEXT PRIMARY KEY REFERENCES run (id),
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE outside_heard (
  agent TEXT NOT NULL,
  space TEXT NOT NULL,
  at    INTEGER NOT NULL,
  PRIMARY KEY (agent, space)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_use (
  agent TEXT NOT NULL,
  entry TEXT NOT NULL,
  at    INTEGER NOT NULL,
  PRIMARY KEY (agent, entry)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_question (
  seq    INTEGER PRIMARY KEY,
  id     TEXT NOT NULL UNIQUE,
  agent  TEXT NOT NULL,
  asker  TEXT NOT NULL,
  space  TEXT NOT NULL,
  run    TEXT,
  query  TEXT NOT NULL,
  shared INTEGER NOT NULL,
  at     INTEGER NOT NULL
) STRICT;

CREATE INDEX memory_question_about ON memory_question (agent, seq);
