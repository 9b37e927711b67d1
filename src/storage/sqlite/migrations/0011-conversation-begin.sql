-- Where the conversation of an agent begins: what is stored up to here belonged to an earlier agent of the same name,
-- which was deleted, or was ephemeral and ended with its daemon.

ALTER TABLE conversation ADD COLUMN after_message INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversation ADD COLUMN after_run INTEGER NOT NULL DEFAULT 0;

-- The direct messages of ephemeral agents were on disk: an agent of that name does not get them. If a file of the name
-- was made later with agent-worker, the messages after that are its own.
CREATE TEMP VIEW ephemeral_agent AS
  SELECT made.agent, (
    SELECT min(later.at) FROM event later
    WHERE later.seq > made.seq AND later.type IN ('agent.created', 'agent.promoted')
      AND json_extract(later.data, '$.agent') = made.agent AND coalesce(json_extract(later.data, '$.ephemeral'), 0) = 0
  ) AS until
  FROM (
    SELECT json_extract(data, '$.agent') AS agent, max(seq) AS seq FROM event
    WHERE type = 'agent.created' AND json_extract(data, '$.ephemeral') = 1 GROUP BY 1
  ) AS made;

INSERT INTO conversation (agent, recorded, mark, after_message, after_run)
  SELECT agent, message, NULL, message, run FROM (
    SELECT e.agent,
      (SELECT max(m.seq) FROM message m WHERE m.space = e.agent AND (e.until IS NULL OR m.created_at <= e.until)) AS message,
      coalesce((SELECT max(r.seq) FROM run r
        WHERE r.mailbox = e.agent AND r.space = e.agent AND (e.until IS NULL OR r.started_at <= e.until)), 0) AS run
    FROM ephemeral_agent e
  ) WHERE message IS NOT NULL
  ON CONFLICT (agent) DO UPDATE SET after_message = excluded.after_message, after_run = excluded.after_run,
    recorded = max(recorded, excluded.recorded);

UPDATE run SET state = 'ended', ended_at = started_at, outcome = 'cancelled', detail = 'Its agent ended with the daemon.'
  WHERE state <> 'ended' AND mailbox = space AND space IN (SELECT agent FROM ephemeral_agent WHERE until IS NULL);

UPDATE delivery SET state = 3, holder = NULL, run = NULL, reason = 'Its agent ended with the daemon.'
  WHERE state < 2 AND space IN (SELECT agent FROM ephemeral_agent WHERE until IS NULL);

DROP VIEW ephemeral_agent;
