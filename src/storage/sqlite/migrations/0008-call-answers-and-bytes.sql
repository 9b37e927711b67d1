-- What the tool calls of the unfinished step of a run were answered: a step that is made again does not repeat them.
-- `change` is JSON: the file that the call is about to change. The rows of a step are deleted when it is stored.

CREATE TABLE call_answer (
  run    TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  call   TEXT NOT NULL,
  answer TEXT,
  change TEXT,
  PRIMARY KEY (run, call)
) STRICT, WITHOUT ROWID;

-- A resource may be bytes that are no text: then its content is their base64.

ALTER TABLE resource ADD COLUMN encoding TEXT NOT NULL DEFAULT 'utf8';
