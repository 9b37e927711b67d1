-- What a run was given. A text that many runs of a day have is stored once for that day: system texts, tools, and the
-- blocks of messages that a prompt consists of. Texts of a day are removed when no run of that day is left.
CREATE TABLE prompt_part (
  day     INTEGER NOT NULL,
  hash    TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (day, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_input (
  run    TEXT PRIMARY KEY REFERENCES run (id),
  -- 0 for what an earlier program stored: its prompt is the text itself.
  day    INTEGER NOT NULL,
  system TEXT NOT NULL,
  tools  TEXT NOT NULL,
  -- A JSON list of texts and of lists of hashes. Null when the transcript of the first step begins with the prompt.
  prompt TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX run_input_of_day ON run_input (day);

INSERT INTO prompt_part (day, hash, content) SELECT 0, hash, content FROM prompt_text;
INSERT INTO run_input (run, day, system, tools, prompt) SELECT run, 0, system, tools, prompt FROM run_prompt;

DROP TABLE run_prompt;
DROP TABLE prompt_text;
