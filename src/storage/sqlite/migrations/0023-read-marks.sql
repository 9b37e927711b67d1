-- Up to which message a person has read a space. What was said before this version counts as read.
CREATE TABLE read_mark (
  space   TEXT NOT NULL,
  person  TEXT NOT NULL,
  read_to INTEGER NOT NULL,
  PRIMARY KEY (space, person)
) STRICT, WITHOUT ROWID;

INSERT INTO read_mark (space, person, read_to) SELECT space, 'user', max(seq) FROM message GROUP BY space;

-- How long a call took. Null: not known.
ALTER TABLE tool_call ADD COLUMN wall_ms INTEGER;
