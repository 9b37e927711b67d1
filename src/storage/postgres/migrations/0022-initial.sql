-- Every table up to migration 22 of SQLite. Text is compared by its bytes, as SQLite does.

CREATE TABLE agent_stop (
  mailbox TEXT COLLATE "C" PRIMARY KEY,
  at      BIGINT NOT NULL
);

CREATE TABLE ballot (
  seq BIGINT PRIMARY KEY,
  id         TEXT COLLATE "C" NOT NULL UNIQUE,
  space      TEXT COLLATE "C" NOT NULL,
  title      TEXT COLLATE "C" NOT NULL,
  terms      TEXT COLLATE "C" NOT NULL,
  binding    BIGINT NOT NULL,
  state      TEXT COLLATE "C" NOT NULL,
  outcome    TEXT COLLATE "C",
  effect     TEXT COLLATE "C",
  opened_at  BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  closed_at  BIGINT,
  recorded   BIGINT NOT NULL DEFAULT 0
, announcement TEXT COLLATE "C", reminded_at BIGINT);

CREATE TABLE causal_tree (
  root      TEXT COLLATE "C" PRIMARY KEY,
  counters  TEXT COLLATE "C" NOT NULL
);

CREATE TABLE conversation (
  agent    TEXT COLLATE "C" PRIMARY KEY,
  recorded BIGINT NOT NULL,
  mark     TEXT COLLATE "C"
, after_message BIGINT NOT NULL DEFAULT 0, after_run BIGINT NOT NULL DEFAULT 0, cleared_at BIGINT NOT NULL DEFAULT 0);

CREATE TABLE document (
  space      TEXT COLLATE "C" NOT NULL,
  file       TEXT COLLATE "C" NOT NULL,
  file_key   TEXT COLLATE "C" NOT NULL,
  content    TEXT COLLATE "C" NOT NULL,
  revision   TEXT COLLATE "C" NOT NULL,
  previous   TEXT COLLATE "C",
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (space, file_key)
);

CREATE TABLE event (
  seq BIGINT PRIMARY KEY,
  type TEXT COLLATE "C" NOT NULL,
  data TEXT COLLATE "C" NOT NULL,
  at   BIGINT NOT NULL
);

CREATE TABLE feedback (
  seq BIGINT PRIMARY KEY,
  id          TEXT COLLATE "C" NOT NULL UNIQUE,
  agent       TEXT COLLATE "C" NOT NULL,
  space       TEXT COLLATE "C" NOT NULL,
  run         TEXT COLLATE "C",
  type        TEXT COLLATE "C" NOT NULL,
  description TEXT COLLATE "C" NOT NULL,
  created_at  BIGINT NOT NULL
);

CREATE TABLE guard_use (
  seq BIGINT PRIMARY KEY,
  mailbox       TEXT COLLATE "C" NOT NULL,
  day           TEXT COLLATE "C" NOT NULL,
  space         TEXT COLLATE "C" NOT NULL,
  run           TEXT COLLATE "C",
  purpose       TEXT COLLATE "C" NOT NULL,
  model         TEXT COLLATE "C" NOT NULL,
  outcome       TEXT COLLATE "C" NOT NULL,
  reason        TEXT COLLATE "C",
  wall_ms       BIGINT NOT NULL,
  input_tokens  BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  usd           DOUBLE PRECISION,
  at            BIGINT NOT NULL
);

CREATE TABLE held_grant (
  space    TEXT COLLATE "C" NOT NULL,
  position BIGINT NOT NULL,
  agent    TEXT COLLATE "C" NOT NULL,
  tool     TEXT COLLATE "C" NOT NULL,
  hand_on  BIGINT NOT NULL,
  given_by TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (space, position)
);

CREATE TABLE idempotency (
  sender  TEXT COLLATE "C" NOT NULL,
  key     TEXT COLLATE "C" NOT NULL,
  message TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (sender, key)
);

CREATE TABLE memory_change (
  seq BIGINT PRIMARY KEY,
  id TEXT COLLATE "C" NOT NULL UNIQUE,
  agent TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  subject TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C" NOT NULL,
  details TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  decided_at BIGINT
);

CREATE TABLE memory_question (
  seq BIGINT PRIMARY KEY,
  id     TEXT COLLATE "C" NOT NULL UNIQUE,
  agent  TEXT COLLATE "C" NOT NULL,
  asker  TEXT COLLATE "C" NOT NULL,
  space  TEXT COLLATE "C" NOT NULL,
  run    TEXT COLLATE "C",
  query  TEXT COLLATE "C" NOT NULL,
  shared BIGINT NOT NULL,
  at     BIGINT NOT NULL
);

CREATE TABLE memory_tidied (
  agent TEXT COLLATE "C" PRIMARY KEY,
  at BIGINT NOT NULL
);

CREATE TABLE memory_use (
  agent TEXT COLLATE "C" NOT NULL,
  entry TEXT COLLATE "C" NOT NULL,
  at    BIGINT NOT NULL, times BIGINT NOT NULL DEFAULT 1,
  PRIMARY KEY (agent, entry)
);

CREATE TABLE message (
  seq BIGINT PRIMARY KEY,
  id         TEXT COLLATE "C" NOT NULL UNIQUE,
  space      TEXT COLLATE "C" NOT NULL,
  sender     TEXT COLLATE "C" NOT NULL,
  kind       TEXT COLLATE "C" NOT NULL,
  addressee  TEXT COLLATE "C",
  body       TEXT COLLATE "C" NOT NULL,
  resource   TEXT COLLATE "C",
  mentions   TEXT COLLATE "C" NOT NULL,
  root       TEXT COLLATE "C" NOT NULL,
  cause      TEXT COLLATE "C",
  depth      BIGINT NOT NULL,
  run        TEXT COLLATE "C",
  created_at BIGINT NOT NULL
, on_behalf_of TEXT COLLATE "C");

CREATE TABLE meta (
  one     BIGINT PRIMARY KEY CHECK (one = 1),
  commits BIGINT NOT NULL
, store_id TEXT COLLATE "C" NOT NULL DEFAULT '');

CREATE TABLE outside_heard (
  agent TEXT COLLATE "C" NOT NULL,
  space TEXT COLLATE "C" NOT NULL,
  at    BIGINT NOT NULL,
  PRIMARY KEY (agent, space)
);

CREATE TABLE own_proposal_state (
  space TEXT COLLATE "C" NOT NULL,
  proposal TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (space, proposal)
);

CREATE TABLE prompt_text (
  hash    TEXT COLLATE "C" PRIMARY KEY,
  content TEXT COLLATE "C" NOT NULL
);

CREATE TABLE resource (
  id         TEXT COLLATE "C" PRIMARY KEY,
  type       TEXT COLLATE "C" NOT NULL,
  bytes      BIGINT NOT NULL,
  content    TEXT COLLATE "C" NOT NULL,
  created_by TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL
, encoding TEXT COLLATE "C" NOT NULL DEFAULT 'utf8');

CREATE TABLE rule (
  seq BIGINT PRIMARY KEY,
  id           TEXT COLLATE "C" NOT NULL UNIQUE,
  space        TEXT COLLATE "C" NOT NULL,
  name         TEXT COLLATE "C" NOT NULL,
  author       TEXT COLLATE "C" NOT NULL,
  author_kind  TEXT COLLATE "C" NOT NULL,
  condition    TEXT COLLATE "C" NOT NULL,
  consequence  TEXT COLLATE "C" NOT NULL,
  most         BIGINT NOT NULL,
  fired        BIGINT NOT NULL,
  total        BIGINT NOT NULL,
  seen         BIGINT,
  resting      BIGINT NOT NULL,
  last_fired_at BIGINT,
  last_refusal TEXT COLLATE "C",
  created_at   BIGINT NOT NULL,
  UNIQUE (space, name)
);

CREATE TABLE run (
  seq BIGINT PRIMARY KEY,
  id         TEXT COLLATE "C" NOT NULL UNIQUE,
  mailbox    TEXT COLLATE "C" NOT NULL,
  space      TEXT COLLATE "C" NOT NULL,
  lane       BIGINT NOT NULL,
  state      TEXT COLLATE "C" NOT NULL,
  holder     TEXT COLLATE "C" NOT NULL,
  cause      TEXT COLLATE "C" NOT NULL,
  root       TEXT COLLATE "C" NOT NULL DEFAULT '',
  spoke      BIGINT NOT NULL DEFAULT 0,
  recoveries BIGINT NOT NULL DEFAULT 0,
  started_at BIGINT NOT NULL,
  ended_at   BIGINT,
  outcome    TEXT COLLATE "C",
  detail     TEXT COLLATE "C"
, model TEXT COLLATE "C", details_removed_at BIGINT, reason TEXT COLLATE "C", waits_for TEXT COLLATE "C", waits_until BIGINT, agent TEXT COLLATE "C", definition TEXT COLLATE "C", waits_since BIGINT);

CREATE TABLE schedule (
  target        TEXT COLLATE "C" PRIMARY KEY,
  id            TEXT COLLATE "C" NOT NULL,
  wakeup        TEXT COLLATE "C" NOT NULL,
  prompt        TEXT COLLATE "C",
  next_at       BIGINT NOT NULL,
  last_fired_at BIGINT,
  created_by    TEXT COLLATE "C" NOT NULL,
  created_at    BIGINT NOT NULL
);

CREATE TABLE soul_proposal (
  seq BIGINT PRIMARY KEY,
  id          TEXT COLLATE "C" NOT NULL UNIQUE,
  agent       TEXT COLLATE "C" NOT NULL,
  source      TEXT COLLATE "C" NOT NULL,
  author      TEXT COLLATE "C" NOT NULL,
  observation TEXT COLLATE "C" NOT NULL,
  change      TEXT COLLATE "C" NOT NULL,
  evidence    TEXT COLLATE "C" NOT NULL,
  space       TEXT COLLATE "C",
  run         TEXT COLLATE "C",
  heard       TEXT COLLATE "C" NOT NULL,
  outside     BIGINT NOT NULL,
  times       BIGINT NOT NULL,
  state       TEXT COLLATE "C" NOT NULL,
  decided_by  TEXT COLLATE "C",
  reason      TEXT COLLATE "C",
  version     BIGINT,
  created_at  BIGINT NOT NULL,
  decided_at  BIGINT
);

CREATE TABLE suggestion (
  seq BIGINT PRIMARY KEY,
  id          TEXT COLLATE "C" NOT NULL UNIQUE,
  space       TEXT COLLATE "C" NOT NULL,
  file        TEXT COLLATE "C" NOT NULL,
  way         TEXT COLLATE "C" NOT NULL,
  content     TEXT COLLATE "C" NOT NULL,
  note        TEXT COLLATE "C",
  base        TEXT COLLATE "C",
  author      TEXT COLLATE "C" NOT NULL,
  state       TEXT COLLATE "C" NOT NULL,
  decided_by  TEXT COLLATE "C",
  reason      TEXT COLLATE "C",
  created_at  BIGINT NOT NULL,
  decided_at  BIGINT
);

CREATE TABLE summary (
  space TEXT COLLATE "C" NOT NULL,
  level BIGINT NOT NULL,
  from_message BIGINT NOT NULL,
  to_message BIGINT NOT NULL,
  messages BIGINT NOT NULL,
  text TEXT COLLATE "C" NOT NULL,
  model TEXT COLLATE "C",
  failure TEXT COLLATE "C",
  attempts BIGINT NOT NULL,
  senders TEXT COLLATE "C" NOT NULL,
  fingerprint TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (space, level, from_message)
);

CREATE TABLE usage (
  mailbox             TEXT COLLATE "C" NOT NULL,
  day                 TEXT COLLATE "C" NOT NULL,
  space               TEXT COLLATE "C" NOT NULL,
  life                BIGINT NOT NULL,
  runs                BIGINT NOT NULL,
  steps               BIGINT NOT NULL,
  wall_ms             BIGINT NOT NULL,
  tokens              BIGINT NOT NULL,
  unknown_token_steps BIGINT NOT NULL,
  input_tokens        BIGINT,
  output_tokens       BIGINT,
  cached_tokens       BIGINT,
  cache_write_tokens  BIGINT,
  reasoning_tokens    BIGINT,
  reported_usd        DOUBLE PRECISION NOT NULL,
  estimated_usd       DOUBLE PRECISION NOT NULL,
  unknown_cost_steps  BIGINT NOT NULL,
  PRIMARY KEY (mailbox, day, space, life)
);

CREATE TABLE workspace (
  key            TEXT COLLATE "C" PRIMARY KEY,
  workflow       TEXT COLLATE "C" NOT NULL,
  tag            TEXT COLLATE "C" NOT NULL,
  state          TEXT COLLATE "C" NOT NULL,
  provider       TEXT COLLATE "C" NOT NULL,
  documents      TEXT COLLATE "C" NOT NULL,
  channel        BIGINT NOT NULL,
  dir            TEXT COLLATE "C" NOT NULL,
  document_file  TEXT COLLATE "C" NOT NULL,
  channel_file   TEXT COLLATE "C" NOT NULL,
  document_owner TEXT COLLATE "C",
  opened_at      BIGINT NOT NULL,
  closed_at      BIGINT
, instance BIGINT NOT NULL DEFAULT 1, earlier BIGINT NOT NULL DEFAULT 0, mirrored BIGINT NOT NULL DEFAULT 0, file TEXT COLLATE "C", owner_setting TEXT COLLATE "C");

CREATE TABLE approval (
  seq BIGINT PRIMARY KEY,
  id           TEXT COLLATE "C" NOT NULL UNIQUE,
  space        TEXT COLLATE "C" NOT NULL,
  agent      TEXT COLLATE "C" NOT NULL,
  run          TEXT COLLATE "C" NOT NULL REFERENCES run (id),
  call         TEXT COLLATE "C" NOT NULL,
  digest       TEXT COLLATE "C" NOT NULL,
  tool         TEXT COLLATE "C" NOT NULL,
  args         TEXT COLLATE "C" NOT NULL,
  state        TEXT COLLATE "C" NOT NULL,
  reason       TEXT COLLATE "C",
  decided_by   TEXT COLLATE "C",
  requested_at BIGINT NOT NULL,
  decided_at   BIGINT
);

CREATE TABLE call_answer (
  run    TEXT COLLATE "C" NOT NULL REFERENCES run (id) ON DELETE CASCADE,
  call   TEXT COLLATE "C" NOT NULL,
  answer TEXT COLLATE "C",
  change TEXT COLLATE "C",
  PRIMARY KEY (run, call)
);

CREATE TABLE delivery (
  seq BIGINT PRIMARY KEY,
  id          TEXT COLLATE "C" NOT NULL UNIQUE,
  message     BIGINT NOT NULL REFERENCES message (seq),
  space       TEXT COLLATE "C" NOT NULL,
  mailbox     TEXT COLLATE "C" NOT NULL,
  lane        BIGINT NOT NULL,
  enqueued_at BIGINT NOT NULL,
  state       BIGINT NOT NULL DEFAULT 0,
  attempts    BIGINT NOT NULL DEFAULT 0,
  preemptions BIGINT NOT NULL DEFAULT 0,
  not_before  BIGINT NOT NULL DEFAULT 0,
  holder      TEXT COLLATE "C",
  run         TEXT COLLATE "C",
  reason      TEXT COLLATE "C"
, dead_outcome TEXT COLLATE "C", awaited BIGINT NOT NULL DEFAULT 0, agent TEXT COLLATE "C");

CREATE TABLE participant (
  space         TEXT COLLATE "C" NOT NULL REFERENCES workspace (key),
  agent         TEXT COLLATE "C" NOT NULL,
  position      BIGINT NOT NULL,
  task          TEXT COLLATE "C",
  mood          TEXT COLLATE "C", role TEXT COLLATE "C", ref TEXT COLLATE "C",
  PRIMARY KEY (space, agent)
);

CREATE TABLE receipt (
  run     TEXT COLLATE "C" PRIMARY KEY REFERENCES run (id),
  content TEXT COLLATE "C" NOT NULL
);

CREATE TABLE resource_space (
  resource TEXT COLLATE "C" NOT NULL REFERENCES resource (id),
  space    TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (resource, space)
);

CREATE TABLE run_prompt (
  run    TEXT COLLATE "C" PRIMARY KEY REFERENCES run (id),
  system TEXT COLLATE "C" NOT NULL REFERENCES prompt_text (hash),
  tools  TEXT COLLATE "C" NOT NULL REFERENCES prompt_text (hash),
  prompt TEXT COLLATE "C"
);

CREATE TABLE step (
  run                TEXT COLLATE "C" NOT NULL REFERENCES run (id),
  number             BIGINT NOT NULL,
  finished_at        BIGINT NOT NULL,
  wall_ms            BIGINT NOT NULL DEFAULT 0,
  input_tokens       BIGINT,
  output_tokens      BIGINT,
  cached_tokens      BIGINT,
  cache_write_tokens BIGINT,
  reasoning_tokens   BIGINT,
  cost_basis         TEXT COLLATE "C" NOT NULL DEFAULT 'unknown',
  cost_usd           DOUBLE PRECISION,
  transcript         TEXT COLLATE "C" NOT NULL, continues BIGINT NOT NULL DEFAULT 0, 
  PRIMARY KEY (run, number)
);

CREATE TABLE tool_call (
  run      TEXT COLLATE "C" NOT NULL REFERENCES run (id),
  step     BIGINT NOT NULL,
  position BIGINT NOT NULL,
  tool     TEXT COLLATE "C" NOT NULL,
  args     TEXT COLLATE "C" NOT NULL,
  result   TEXT COLLATE "C",
  failed   BIGINT NOT NULL,
  PRIMARY KEY (run, step, position)
);

CREATE TABLE vote (
  seq BIGINT PRIMARY KEY,
  ballot TEXT COLLATE "C" NOT NULL REFERENCES ballot (id),
  voter  TEXT COLLATE "C" NOT NULL,
  option TEXT COLLATE "C" NOT NULL,
  reason TEXT COLLATE "C",
  at     BIGINT NOT NULL,
  UNIQUE (ballot, voter)
);

CREATE TABLE workflow_instance (
  space      TEXT COLLATE "C" PRIMARY KEY REFERENCES workspace (key),
  phase      TEXT COLLATE "C" NOT NULL,
  until_idle BIGINT NOT NULL
, kickoff TEXT COLLATE "C");

CREATE INDEX approval_of_run ON approval (run, call);

CREATE INDEX approval_pending ON approval (seq) WHERE state = 'pending';

CREATE INDEX ballot_of_space ON ballot (space, seq);

CREATE INDEX ballot_open ON ballot (expires_at) WHERE state = 'open';

CREATE INDEX ballot_unrecorded ON ballot (seq) WHERE recorded = 0;

CREATE INDEX delivery_dead ON delivery (seq) WHERE state = 3;

CREATE INDEX delivery_dead_in ON delivery (space) WHERE state = 3;

CREATE INDEX delivery_inbox ON delivery (space, mailbox, lane, seq) WHERE state < 2;

CREATE INDEX delivery_of_message ON delivery (message);

CREATE INDEX delivery_of_run ON delivery (run) WHERE state < 2 AND run IS NOT NULL;

CREATE INDEX delivery_queue ON delivery (mailbox, lane, seq) WHERE state = 0;

CREATE INDEX delivery_returned ON delivery (mailbox, seq) WHERE state = 0 AND (not_before > 0 OR preemptions > 0);

CREATE INDEX event_document_written ON event (seq) WHERE type = 'document.written';

CREATE INDEX guard_use_of_day ON guard_use (mailbox, day);

CREATE INDEX guard_use_of_run ON guard_use (run) WHERE run IS NOT NULL;

CREATE INDEX memory_change_agent ON memory_change (agent, seq);

CREATE INDEX memory_question_about ON memory_question (agent, seq);

CREATE INDEX message_of_space ON message (space, seq);

CREATE INDEX participant_of_agent ON participant (agent);

CREATE INDEX participant_of_ref ON participant (ref) WHERE ref IS NOT NULL;

CREATE INDEX rule_at_work ON rule (seq) WHERE seen IS NOT NULL;

CREATE INDEX run_of_mailbox ON run (mailbox, id);

CREATE INDEX run_of_space ON run (space, id);

CREATE INDEX run_of_tree ON run (root);

CREATE INDEX run_unfinished ON run (seq) WHERE state <> 'ended';

CREATE INDEX run_with_details ON run (ended_at, id) WHERE state = 'ended' AND details_removed_at IS NULL;

CREATE INDEX run_prompt_system ON run_prompt (system);

CREATE INDEX run_prompt_tools ON run_prompt (tools);

CREATE INDEX schedule_due ON schedule (next_at);

CREATE INDEX soul_proposal_of_agent ON soul_proposal (agent, seq);

CREATE INDEX soul_proposal_open ON soul_proposal (agent, seq) WHERE state = 'open';

CREATE INDEX suggestion_open ON suggestion (space, seq) WHERE state = 'open';

CREATE INDEX usage_of_space ON usage (space, life);

INSERT INTO meta (one, commits, store_id) VALUES (1, 0, replace(gen_random_uuid()::text, '-', ''));
