import type { WriteConnection } from "../connection.ts";
import { deleteSpace } from "./delete-space.ts";

/**
 * Moves the direct messages of an ephemeral agent to disk, under the name it gets there: messages, deliveries, runs with
 * their steps, and what belongs to them. What an earlier agent of that name said is not seen any more. Rows get new
 * sequence numbers, in their order. Rows before the beginning of its conversation belonged to an earlier agent and are
 * left out.
 *
 * `main` is the schema on disk; tables without a schema are those in memory. ?1 is the agent, ?2 its new name.
 */
const MESSAGES = `SELECT id FROM message WHERE space = ?1 AND seq > (SELECT after_message FROM conversation WHERE agent = ?1)`;
const RUNS = `SELECT id FROM run WHERE space = ?1 AND seq > (SELECT after_run FROM conversation WHERE agent = ?1)`;

const STATEMENTS = [
  `INSERT INTO main.conversation (agent, recorded, mark, after_message, after_run)
   SELECT ?2, newest.message, NULL, newest.message, newest.run
   FROM (SELECT coalesce((SELECT max(seq) FROM main.message), 0) AS message,
                coalesce((SELECT max(seq) FROM main.run), 0) AS run) AS newest
   WHERE ?1 <> ''
   ON CONFLICT (agent) DO UPDATE SET recorded = excluded.recorded, mark = NULL,
     after_message = excluded.after_message, after_run = excluded.after_run`,
  `INSERT INTO main.message (seq, id, space, sender, kind, addressee, body, resource, mentions, root, cause, depth, run,
     created_at, on_behalf_of)
   SELECT (SELECT coalesce(max(seq), 0) FROM main.message) + row_number() OVER (ORDER BY m.seq), m.id, ?2, CASE WHEN m.sender = ?1 THEN ?2 ELSE m.sender END, m.kind, CASE WHEN m.addressee = ?1 THEN ?2 ELSE m.addressee END, m.body, m.resource,
     m.mentions, m.root, m.cause, m.depth, m.run, m.created_at, m.on_behalf_of
   FROM message m WHERE m.id IN (${MESSAGES}) ORDER BY m.seq`,
  `INSERT INTO main.idempotency (sender, key, message)
   SELECT i.sender, i.key, i.message FROM idempotency i WHERE i.message IN (${MESSAGES}) ON CONFLICT DO NOTHING`,
  `INSERT INTO main.causal_tree (root, counters)
   SELECT c.root, c.counters FROM causal_tree c WHERE c.root IN (${MESSAGES}) ON CONFLICT DO NOTHING`,
  `INSERT INTO main.resource (id, type, bytes, content, created_by, created_at, encoding)
   SELECT r.id, r.type, r.bytes, r.content, CASE WHEN r.created_by = ?1 THEN ?2 ELSE r.created_by END, r.created_at, r.encoding
   FROM resource r WHERE r.id IN (SELECT resource FROM resource_space WHERE space = ?1) ON CONFLICT DO NOTHING`,
  `INSERT INTO main.resource_space (resource, space) SELECT s.resource, ?2 FROM resource_space s WHERE s.space = ?1 ON CONFLICT DO NOTHING`,
  `INSERT INTO main.held_grant (space, position, agent, tool, hand_on, given_by)
   SELECT ?2, g.position, ?2, g.tool, g.hand_on, g.given_by FROM held_grant g WHERE g.space = ?1
   ON CONFLICT (space, position) DO UPDATE SET agent = excluded.agent, tool = excluded.tool,
     hand_on = excluded.hand_on, given_by = excluded.given_by`,
  `INSERT INTO main.run (seq, id, mailbox, space, lane, state, holder, cause, root, spoke, recoveries, started_at, ended_at,
     outcome, detail, model, details_removed_at, reason, waits_for, waits_until, definition)
   SELECT (SELECT coalesce(max(seq), 0) FROM main.run) + row_number() OVER (ORDER BY r.seq), r.id, ?2, ?2, r.lane, r.state, r.holder, r.cause, r.root, r.spoke, r.recoveries, r.started_at, r.ended_at,
     r.outcome, r.detail, r.model, r.details_removed_at, r.reason, r.waits_for, r.waits_until, r.definition
   FROM run r WHERE r.id IN (${RUNS}) ORDER BY r.seq`,
  `INSERT INTO main.step (run, number, finished_at, wall_ms, input_tokens, output_tokens, cached_tokens,
     cache_write_tokens, reasoning_tokens, cost_basis, cost_usd, transcript, continues)
   SELECT s.run, s.number, s.finished_at, s.wall_ms, s.input_tokens, s.output_tokens, s.cached_tokens,
     s.cache_write_tokens, s.reasoning_tokens, s.cost_basis, s.cost_usd, s.transcript, s.continues
   FROM step s WHERE s.run IN (${RUNS})`,
  `INSERT INTO main.tool_call (run, step, position, tool, args, result, failed, wall_ms)
   SELECT t.run, t.step, t.position, t.tool, t.args, t.result, t.failed, t.wall_ms FROM tool_call t
   WHERE t.run IN (${RUNS})`,
  `INSERT INTO main.prompt_part (day, hash, content) SELECT t.day, t.hash, t.content FROM prompt_part t
   WHERE EXISTS (SELECT 1 FROM run_input i WHERE i.run IN (${RUNS}) AND i.day = t.day
     AND (i.system = t.hash OR i.tools = t.hash OR instr(i.prompt, t.hash) > 0)) ON CONFLICT DO NOTHING`,
  `INSERT INTO main.run_input (run, day, system, tools, prompt)
   SELECT i.run, i.day, i.system, i.tools, i.prompt FROM run_input i WHERE i.run IN (${RUNS})`,
  `INSERT INTO main.receipt (run, content) SELECT r.run, r.content FROM receipt r WHERE r.run IN (${RUNS})`,
  `INSERT INTO main.approval (seq, id, space, agent, run, call, digest, tool, args, state, reason, decided_by, requested_at,
     decided_at)
   SELECT (SELECT coalesce(max(seq), 0) FROM main.approval) + row_number() OVER (ORDER BY a.seq), a.id, ?2, ?2, a.run, a.call, a.digest, a.tool, a.args, a.state, a.reason, a.decided_by, a.requested_at,
     a.decided_at
   FROM approval a WHERE a.run IN (${RUNS}) ORDER BY a.seq`,
  `INSERT INTO main.delivery (seq, id, message, space, mailbox, lane, enqueued_at, state, attempts, preemptions, not_before,
     holder, run, reason, dead_outcome, awaited)
   SELECT (SELECT coalesce(max(seq), 0) FROM main.delivery) + row_number() OVER (ORDER BY d.seq), d.id, (SELECT stored.seq FROM main.message stored WHERE stored.id = m.id), ?2, ?2, d.lane, d.enqueued_at,
     d.state, d.attempts, d.preemptions, d.not_before, d.holder, d.run, d.reason, d.dead_outcome, d.awaited
   FROM delivery d JOIN message m ON m.seq = d.message WHERE m.id IN (${MESSAGES}) ORDER BY d.seq`,
  `INSERT INTO main.usage SELECT ?2, u.day, ?2, u.life, u.runs, u.steps, u.wall_ms, u.tokens,
     u.unknown_token_steps, u.input_tokens, u.output_tokens, u.cached_tokens, u.cache_write_tokens, u.reasoning_tokens,
     u.reported_usd, u.estimated_usd, u.unknown_cost_steps
   FROM usage u WHERE u.space = ?1 ON CONFLICT DO NOTHING`,
] as const;

/** Only inside a transaction. */
export async function promoteConversation(db: WriteConnection, agent: string, name: string): Promise<void> {
  for (const statement of STATEMENTS) {
    const run = db.run(statement);
    if (statement.includes("?2")) await run(agent, name);
    else await run(agent);
  }
  await db.run("DELETE FROM usage WHERE space = ?")(agent);
  await deleteSpace(db, agent);
  await db.run("DELETE FROM conversation WHERE agent = ?")(agent);
}
