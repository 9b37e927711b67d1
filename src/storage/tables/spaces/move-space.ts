import type { WriteConnection } from "../../connection.ts";

/**
 * Moves the rows of a space to another key. A delivery that is acked has the space of its message and is found by its
 * id only, so it stays as it is. Mailboxes belong to all instances of a workspace and stay, too.
 */
const STATEMENTS = [
  `INSERT INTO workspace (key, instance, earlier, workflow, tag, state, provider, documents, channel, dir, mirrored,
     document_file, channel_file, document_owner, opened_at, closed_at, file)
   SELECT ?1, instance, 1, workflow, tag, state, provider, documents, channel, dir, mirrored,
     document_file, channel_file, document_owner, opened_at, closed_at, file
   FROM workspace WHERE key = ?2`,
  "UPDATE participant SET space = ? WHERE space = ?",
  "UPDATE message SET space = ? WHERE space = ?",
  "UPDATE delivery SET space = ? WHERE state < 2 AND space = ?",
  "UPDATE delivery SET space = ? WHERE state = 3 AND space = ?",
  "UPDATE run SET space = ? WHERE space = ?",
  "UPDATE approval SET space = ? WHERE space = ?",
  "UPDATE ballot SET space = ? WHERE space = ?",
  "UPDATE suggestion SET space = ? WHERE space = ?",
  "UPDATE held_grant SET space = ? WHERE space = ?",
  "UPDATE read_mark SET space = ? WHERE space = ?",
  "UPDATE rule SET space = ? WHERE space = ?",
  "UPDATE own_proposal_state SET space = ? WHERE space = ?",
  "UPDATE document SET space = ? WHERE space = ?",
  "UPDATE resource_space SET space = ? WHERE space = ?",
  "UPDATE summary SET space = ? WHERE space = ?",
  "UPDATE usage SET space = ? WHERE space = ?",
  "UPDATE feedback SET space = ? WHERE space = ?",
  "UPDATE soul_proposal SET space = ? WHERE space = ?",
  "UPDATE memory_question SET space = ? WHERE space = ?",
  "UPDATE guard_use SET space = ? WHERE space = ?",
  "UPDATE outside_heard SET space = ? WHERE space = ?",
] as const;

/** Only inside a transaction. */
export function moveSpace(db: WriteConnection): (from: string, to: string) => Promise<void> {
  const moves = STATEMENTS.map((statement) => db.run(statement));
  const deleteStart = db.write("DELETE FROM workflow_instance WHERE space = ?");
  const deleteWorkspace = db.write("DELETE FROM workspace WHERE key = ?");
  return async (from, to) => {
    for (const move of moves) await move(to, from);
    await deleteStart(from);
    await deleteWorkspace(from);
  };
}
