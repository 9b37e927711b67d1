-- Files of personal contexts, where these are kept in the store. A file has the text that it would have on disk.
CREATE TABLE personal_file (
  agent       TEXT NOT NULL,
  folder      TEXT NOT NULL,
  name        TEXT NOT NULL,
  id          TEXT NOT NULL,
  content     TEXT NOT NULL,
  bytes       INTEGER NOT NULL,
  stamp       TEXT NOT NULL,
  modified_at INTEGER NOT NULL,
  PRIMARY KEY (agent, folder, name)
) STRICT;
