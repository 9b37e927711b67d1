-- What the tools of a step were asked and answered, in short, for people who look at a run. A step of an engine whose
-- transcript is only the name of a session shows its work here and nowhere else.

CREATE TABLE tool_call (
  run      TEXT NOT NULL REFERENCES run (id),
  step     INTEGER NOT NULL,
  position INTEGER NOT NULL,
  tool     TEXT NOT NULL,
  args     TEXT NOT NULL,
  result   TEXT,
  failed   INTEGER NOT NULL,
  PRIMARY KEY (run, step, position)
) STRICT, WITHOUT ROWID;
