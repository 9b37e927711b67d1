-- The daemons that work for the project. Times are those of the store.
CREATE TABLE node (
  name        TEXT PRIMARY KEY,
  instance    TEXT NOT NULL UNIQUE,
  machine     TEXT NOT NULL,
  labels      TEXT NOT NULL,
  engines     TEXT NOT NULL,
  capacity    INTEGER,
  version     TEXT NOT NULL,
  definitions TEXT NOT NULL,
  started_at  INTEGER NOT NULL,
  beat_at     INTEGER NOT NULL,
  lease_ms    INTEGER NOT NULL,
  left_at     INTEGER
) STRICT, WITHOUT ROWID;

-- Which node has the worktree of an agent or of a workspace.
CREATE TABLE worktree_node (
  worktree TEXT PRIMARY KEY,
  node     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The lease owner that runs the setup of a workflow. Null where an earlier program began it.
ALTER TABLE workflow_instance ADD COLUMN owner TEXT;
