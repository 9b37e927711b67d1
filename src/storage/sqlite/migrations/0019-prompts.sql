-- What a run was given. The system text and the tools are the same in many runs, so they are stored once.
CREATE TABLE prompt_text (
  hash    TEXT PRIMARY KEY,
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run_prompt (
  run    TEXT PRIMARY KEY REFERENCES run (id),
  system TEXT NOT NULL REFERENCES prompt_text (hash),
  tools  TEXT NOT NULL REFERENCES prompt_text (hash),
  -- Null when the transcript of the first step begins with it.
  prompt TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX run_prompt_system ON run_prompt (system);
CREATE INDEX run_prompt_tools ON run_prompt (tools);
