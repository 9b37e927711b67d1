import type { WriteConnection } from "../connection.ts";

/**
 * Deletes the rows of a space from the ephemeral schema, which would otherwise hold every team that ever ran until the
 * project closes. Usage stays, because it was paid for. Children are deleted before the rows they refer to.
 */
const STATEMENTS = [
  "DELETE FROM vote WHERE ballot IN (SELECT id FROM ballot WHERE space = ?)",
  "DELETE FROM ballot WHERE space = ?",
  "DELETE FROM approval WHERE space = ?",
  "DELETE FROM call_answer WHERE run IN (SELECT id FROM run WHERE space = ?)",
  "DELETE FROM step WHERE run IN (SELECT id FROM run WHERE space = ?)",
  "DELETE FROM tool_call WHERE run IN (SELECT id FROM run WHERE space = ?)",
  "DELETE FROM receipt WHERE run IN (SELECT id FROM run WHERE space = ?)",
  "DELETE FROM run_input WHERE run IN (SELECT id FROM run WHERE space = ?)",
  "DELETE FROM run WHERE space = ?",
  "DELETE FROM idempotency WHERE message IN (SELECT id FROM message WHERE space = ?)",
  "DELETE FROM causal_tree WHERE root IN (SELECT root FROM message WHERE space = ?)",
  "DELETE FROM delivery WHERE space = ?",
  "DELETE FROM message WHERE space = ?",
  "DELETE FROM summary WHERE space = ?",
  "DELETE FROM document WHERE space = ?",
  "DELETE FROM suggestion WHERE space = ?",
  "DELETE FROM feedback WHERE space = ?",
  "DELETE FROM held_grant WHERE space = ?",
  "DELETE FROM own_proposal_state WHERE space = ?",
  "DELETE FROM read_mark WHERE space = ?",
  "DELETE FROM rule WHERE space = ?",
  "DELETE FROM resource_space WHERE space = ?",
  "DELETE FROM participant WHERE space = ?",
  "DELETE FROM workflow_instance WHERE space = ?",
  "DELETE FROM workspace WHERE key = ?",
] as const;

/** No reader of events is this far behind. */
const MAX_EVENTS = 10_000;

/** Only inside a transaction. */
export async function deleteSpace(db: WriteConnection, space: string): Promise<void> {
  for (const statement of STATEMENTS) await db.run(statement)(space);
  await db.run("DELETE FROM resource WHERE id NOT IN (SELECT resource FROM resource_space)")();
  await db.run(
    // Those of the last days may be in use for the next prompt.
    `DELETE FROM prompt_part WHERE day < (SELECT max(day) FROM prompt_part) - 1 AND day NOT IN (SELECT day FROM run_input)`,
  )();
  await db.run("DELETE FROM event WHERE seq <= (SELECT max(seq) FROM event) - ?")(MAX_EVENTS);
}
