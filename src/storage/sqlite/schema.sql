-- Made by `node scripts/dump-schema.ts` from migrations 1 to 28. Not read by the program.

CREATE TABLE agent_stop (
  mailbox TEXT PRIMARY KEY,
  at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE approval (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  space        TEXT NOT NULL,
  agent      TEXT NOT NULL,
  run          TEXT NOT NULL REFERENCES run (id),
  call         TEXT NOT NULL,
  digest       TEXT NOT NULL,
  tool         TEXT NOT NULL,
  args         TEXT NOT NULL,
  state        TEXT NOT NULL,
  reason       TEXT,
  decided_by   TEXT,
  requested_at INTEGER NOT NULL,
  decided_at   INTEGER
) STRICT;

CREATE INDEX approval_of_run ON approval (run, call);

CREATE INDEX approval_pending ON approval (seq) WHERE state = 'pending';

CREATE TABLE ballot (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  space      TEXT NOT NULL,
  title      TEXT NOT NULL,
  terms      TEXT NOT NULL,
  binding    INTEGER NOT NULL,
  state      TEXT NOT NULL,
  outcome    TEXT,
  effect     TEXT,
  opened_at  INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  closed_at  INTEGER,
  recorded   INTEGER NOT NULL DEFAULT 0
, announcement TEXT, reminded_at INTEGER) STRICT;

CREATE INDEX ballot_of_space ON ballot (space, seq);

CREATE INDEX ballot_open ON ballot (expires_at) WHERE state = 'open';

CREATE INDEX ballot_unrecorded ON ballot (seq) WHERE recorded = 0;

CREATE TABLE call_answer (
  run    TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  call   TEXT NOT NULL,
  answer TEXT,
  change TEXT,
  PRIMARY KEY (run, call)
) STRICT, WITHOUT ROWID;

CREATE TABLE causal_tree (
  root      TEXT PRIMARY KEY,
  counters  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE conversation (
  agent    TEXT PRIMARY KEY,
  recorded INTEGER NOT NULL,
  mark     TEXT
, after_message INTEGER NOT NULL DEFAULT 0, after_run INTEGER NOT NULL DEFAULT 0, cleared_at INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE TABLE delivery (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  message     INTEGER NOT NULL REFERENCES message (seq),
  space       TEXT NOT NULL,
  mailbox     TEXT NOT NULL,
  lane        INTEGER NOT NULL,
  enqueued_at INTEGER NOT NULL,
  state       INTEGER NOT NULL DEFAULT 0,
  attempts    INTEGER NOT NULL DEFAULT 0,
  preemptions INTEGER NOT NULL DEFAULT 0,
  not_before  INTEGER NOT NULL DEFAULT 0,
  holder      TEXT,
  run         TEXT,
  reason      TEXT
, dead_outcome TEXT, awaited INTEGER NOT NULL DEFAULT 0, agent TEXT) STRICT;

CREATE INDEX delivery_dead ON delivery (seq) WHERE state = 3;

CREATE INDEX delivery_dead_in ON delivery (space) WHERE state = 3;

CREATE INDEX delivery_inbox ON delivery (space, mailbox, lane, seq) WHERE state < 2;

CREATE INDEX delivery_of_message ON delivery (message);

CREATE INDEX delivery_of_run ON delivery (run) WHERE state < 2 AND run IS NOT NULL;

CREATE INDEX delivery_queue ON delivery (mailbox, lane, seq) WHERE state = 0;

CREATE INDEX delivery_returned ON delivery (mailbox, seq) WHERE state = 0 AND (not_before > 0 OR preemptions > 0);

CREATE TABLE document (
  space      TEXT NOT NULL,
  file       TEXT NOT NULL,
  file_key   TEXT NOT NULL,
  content    TEXT NOT NULL,
  revision   TEXT NOT NULL,
  previous   TEXT,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (space, file_key)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  seq  INTEGER PRIMARY KEY,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  at   INTEGER NOT NULL
) STRICT;

CREATE INDEX event_document_written ON event (seq) WHERE type = 'document.written';

CREATE TABLE feedback (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  agent       TEXT NOT NULL,
  space       TEXT NOT NULL,
  run         TEXT,
  type        TEXT NOT NULL,
  description TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;

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

CREATE TABLE held_grant (
  space    TEXT NOT NULL,
  position INTEGER NOT NULL,
  agent    TEXT NOT NULL,
  tool     TEXT NOT NULL,
  hand_on  INTEGER NOT NULL,
  given_by TEXT NOT NULL,
  PRIMARY KEY (space, position)
) STRICT;

CREATE TABLE idempotency (
  sender  TEXT NOT NULL,
  key     TEXT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (sender, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_change (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  subject TEXT NOT NULL,
  reason TEXT NOT NULL,
  details TEXT NOT NULL,
  at INTEGER NOT NULL,
  decided_at INTEGER
) STRICT;

CREATE INDEX memory_change_agent ON memory_change (agent, seq);

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

CREATE TABLE memory_tidied (
  agent TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_use (
  agent TEXT NOT NULL,
  entry TEXT NOT NULL,
  at    INTEGER NOT NULL, times INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (agent, entry)
) STRICT, WITHOUT ROWID;

CREATE TABLE message (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  space      TEXT NOT NULL,
  sender     TEXT NOT NULL,
  kind       TEXT NOT NULL,
  addressee  TEXT,
  body       TEXT NOT NULL,
  resource   TEXT,
  mentions   TEXT NOT NULL,
  root       TEXT NOT NULL,
  cause      TEXT,
  depth      INTEGER NOT NULL,
  run        TEXT,
  created_at INTEGER NOT NULL
, on_behalf_of TEXT) STRICT;

CREATE INDEX message_of_space ON message (space, seq);

CREATE TABLE meta (
  one     INTEGER PRIMARY KEY CHECK (one = 1),
  commits INTEGER NOT NULL
, store_id TEXT NOT NULL DEFAULT '') STRICT;

CREATE TABLE migration (
        number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL
      ) STRICT;

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

CREATE TABLE outside_heard (
  agent TEXT NOT NULL,
  space TEXT NOT NULL,
  at    INTEGER NOT NULL,
  PRIMARY KEY (agent, space)
) STRICT, WITHOUT ROWID;

CREATE TABLE own_proposal_state (
  space TEXT NOT NULL,
  proposal TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (space, proposal)
) STRICT, WITHOUT ROWID;

CREATE TABLE participant (
  space         TEXT NOT NULL REFERENCES workspace (key),
  agent         TEXT NOT NULL,
  position      INTEGER NOT NULL,
  task          TEXT,
  mood          TEXT, role TEXT, ref TEXT,
  PRIMARY KEY (space, agent)
) STRICT, WITHOUT ROWID;

CREATE INDEX participant_of_agent ON participant (agent);

CREATE INDEX participant_of_ref ON participant (ref) WHERE ref IS NOT NULL;

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

CREATE TABLE prompt_part (
  day     INTEGER NOT NULL,
  hash    TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (day, hash)
) STRICT, WITHOUT ROWID;

CREATE TABLE read_mark (
  space   TEXT NOT NULL,
  person  TEXT NOT NULL,
  read_to INTEGER NOT NULL,
  PRIMARY KEY (space, person)
) STRICT, WITHOUT ROWID;

CREATE TABLE receipt (
  run     TEXT PRIMARY KEY REFERENCES run (id),
  content TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE resource (
  id         TEXT PRIMARY KEY,
  type       TEXT NOT NULL,
  bytes      INTEGER NOT NULL,
  content    TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
, encoding TEXT NOT NULL DEFAULT 'utf8') STRICT;

CREATE TABLE resource_space (
  resource TEXT NOT NULL REFERENCES resource (id),
  space    TEXT NOT NULL,
  PRIMARY KEY (resource, space)
) STRICT, WITHOUT ROWID;

CREATE TABLE rule (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  space        TEXT NOT NULL,
  name         TEXT NOT NULL,
  author       TEXT NOT NULL,
  author_kind  TEXT NOT NULL,
  condition    TEXT NOT NULL,
  consequence  TEXT NOT NULL,
  most         INTEGER NOT NULL,
  fired        INTEGER NOT NULL,
  total        INTEGER NOT NULL,
  seen         INTEGER,
  resting      INTEGER NOT NULL,
  last_fired_at INTEGER,
  last_refusal TEXT,
  created_at   INTEGER NOT NULL,
  UNIQUE (space, name)
) STRICT;

CREATE INDEX rule_at_work ON rule (seq) WHERE seen IS NOT NULL;

CREATE TABLE run (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  mailbox    TEXT NOT NULL,
  space      TEXT NOT NULL,
  lane       INTEGER NOT NULL,
  state      TEXT NOT NULL,
  holder     TEXT NOT NULL,
  cause      TEXT NOT NULL,
  root       TEXT NOT NULL DEFAULT '',
  spoke      INTEGER NOT NULL DEFAULT 0,
  recoveries INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,
  outcome    TEXT,
  detail     TEXT
, model TEXT, details_removed_at INTEGER, reason TEXT, waits_for TEXT, waits_until INTEGER, agent TEXT, definition TEXT, waits_since INTEGER, fence INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX run_of_mailbox ON run (mailbox, id);

CREATE INDEX run_of_space ON run (space, id);

CREATE INDEX run_of_tree ON run (root);

CREATE UNIQUE INDEX run_open ON run (mailbox) WHERE state = 'open';

CREATE INDEX run_unfinished ON run (seq) WHERE state <> 'ended';

CREATE INDEX run_with_details ON run (ended_at, id) WHERE state = 'ended' AND details_removed_at IS NULL;

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

CREATE TABLE schedule (
  target        TEXT PRIMARY KEY,
  id            TEXT NOT NULL,
  wakeup        TEXT NOT NULL,
  prompt        TEXT,
  next_at       INTEGER NOT NULL,
  last_fired_at INTEGER,
  created_by    TEXT NOT NULL,
  created_at    INTEGER NOT NULL
, paused_at INTEGER) STRICT, WITHOUT ROWID;

CREATE INDEX schedule_due ON schedule (next_at);

CREATE TABLE soul_proposal (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  agent       TEXT NOT NULL,
  source      TEXT NOT NULL,
  author      TEXT NOT NULL,
  observation TEXT NOT NULL,
  change      TEXT NOT NULL,
  evidence    TEXT NOT NULL,
  space       TEXT,
  run         TEXT,
  heard       TEXT NOT NULL,
  outside     INTEGER NOT NULL,
  times       INTEGER NOT NULL,
  state       TEXT NOT NULL,
  decided_by  TEXT,
  reason      TEXT,
  version     INTEGER,
  created_at  INTEGER NOT NULL,
  decided_at  INTEGER
) STRICT;

CREATE INDEX soul_proposal_of_agent ON soul_proposal (agent, seq);

CREATE INDEX soul_proposal_open ON soul_proposal (agent, seq) WHERE state = 'open';

CREATE TABLE step (
  run                TEXT NOT NULL REFERENCES run (id),
  number             INTEGER NOT NULL,
  finished_at        INTEGER NOT NULL,
  wall_ms            INTEGER NOT NULL DEFAULT 0,
  input_tokens       INTEGER,
  output_tokens      INTEGER,
  cached_tokens      INTEGER,
  cache_write_tokens INTEGER,
  reasoning_tokens   INTEGER,
  cost_basis         TEXT NOT NULL DEFAULT 'unknown',
  cost_usd           REAL,
  transcript         TEXT NOT NULL, continues INTEGER NOT NULL DEFAULT 0, -- last, so that the rest is read without it
  PRIMARY KEY (run, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE suggestion (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  space       TEXT NOT NULL,
  file        TEXT NOT NULL,
  way         TEXT NOT NULL,
  content     TEXT NOT NULL,
  note        TEXT,
  base        TEXT,
  author      TEXT NOT NULL,
  state       TEXT NOT NULL,
  decided_by  TEXT,
  reason      TEXT,
  created_at  INTEGER NOT NULL,
  decided_at  INTEGER
) STRICT;

CREATE INDEX suggestion_open ON suggestion (space, seq) WHERE state = 'open';

CREATE TABLE summary (
  space TEXT NOT NULL,
  level INTEGER NOT NULL,
  from_message INTEGER NOT NULL,
  to_message INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  text TEXT NOT NULL,
  model TEXT,
  failure TEXT,
  attempts INTEGER NOT NULL,
  senders TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (space, level, from_message)
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_call (
  run      TEXT NOT NULL REFERENCES run (id),
  step     INTEGER NOT NULL,
  position INTEGER NOT NULL,
  tool     TEXT NOT NULL,
  args     TEXT NOT NULL,
  result   TEXT,
  failed   INTEGER NOT NULL, wall_ms INTEGER,
  PRIMARY KEY (run, step, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
  mailbox             TEXT NOT NULL,
  day                 TEXT NOT NULL,
  space               TEXT NOT NULL,
  life                INTEGER NOT NULL,
  runs                INTEGER NOT NULL,
  steps               INTEGER NOT NULL,
  wall_ms             INTEGER NOT NULL,
  tokens              INTEGER NOT NULL,
  unknown_token_steps INTEGER NOT NULL,
  input_tokens        INTEGER,
  output_tokens       INTEGER,
  cached_tokens       INTEGER,
  cache_write_tokens  INTEGER,
  reasoning_tokens    INTEGER,
  reported_usd        REAL NOT NULL,
  estimated_usd       REAL NOT NULL,
  unknown_cost_steps  INTEGER NOT NULL,
  PRIMARY KEY (mailbox, day, space, life)
) STRICT, WITHOUT ROWID;

CREATE INDEX usage_of_space ON usage (space, life);

CREATE TABLE vote (
  seq    INTEGER PRIMARY KEY,
  ballot TEXT NOT NULL REFERENCES ballot (id),
  voter  TEXT NOT NULL,
  option TEXT NOT NULL,
  reason TEXT,
  at     INTEGER NOT NULL,
  UNIQUE (ballot, voter)
) STRICT;

CREATE TABLE workflow_instance (
  space      TEXT PRIMARY KEY REFERENCES workspace (key),
  phase      TEXT NOT NULL,
  until_idle INTEGER NOT NULL
, kickoff TEXT, owner TEXT) STRICT, WITHOUT ROWID;

CREATE TABLE workspace (
  key            TEXT PRIMARY KEY,
  workflow       TEXT NOT NULL,
  tag            TEXT NOT NULL,
  state          TEXT NOT NULL,
  provider       TEXT NOT NULL,
  documents      TEXT NOT NULL,
  channel        INTEGER NOT NULL,
  dir            TEXT NOT NULL,
  document_file  TEXT NOT NULL,
  channel_file   TEXT NOT NULL,
  document_owner TEXT,
  opened_at      INTEGER NOT NULL,
  closed_at      INTEGER
, instance INTEGER NOT NULL DEFAULT 1, earlier INTEGER NOT NULL DEFAULT 0, mirrored INTEGER NOT NULL DEFAULT 0, file TEXT, owner_setting TEXT) STRICT, WITHOUT ROWID;

CREATE TABLE worktree_node (
  worktree TEXT PRIMARY KEY,
  node     TEXT NOT NULL
) STRICT, WITHOUT ROWID;
