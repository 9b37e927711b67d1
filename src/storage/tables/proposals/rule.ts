import { NO_EVENTS, type EventCursor } from "../../../domain/event.ts";
import type { RuleCondition, RuleConsequence } from "../../../domain/rule/rule.ts";
import type { RuleReads, RuleRecord, RuleWrites } from "../../../ports/store/proposals/rule.ts";
import type { Connection, Row, WriteConnection } from "../../connection.ts";

const LAST_EVENT = "(SELECT coalesce(max(seq), 0) FROM event)";

export function ruleReads(db: Connection, schema: keyof EventCursor): RuleReads {
  const selectById = db.get("SELECT * FROM rule WHERE id = ?");
  const selectAll = db.all("SELECT * FROM rule ORDER BY seq");
  const selectActive = db.all("SELECT * FROM rule INDEXED BY rule_at_work WHERE seen IS NOT NULL ORDER BY seq");
  const selectOfSpace = db.all("SELECT * FROM rule WHERE space = ? ORDER BY seq");
  const selectSeen = db.get(
    `SELECT coalesce(min(seen), ${LAST_EVENT}) AS seen FROM rule INDEXED BY rule_at_work WHERE seen IS NOT NULL`,
  );
  return {
    async byId(id) {
      const row = await selectById(id);
      return row === undefined ? undefined : toRule(row);
    },

    async list(space) {
      return (space === undefined ? await selectAll() : await selectOfSpace(space)).map(toRule);
    },

    async active() {
      return (await selectActive()).map((row) => ({ ...toRule(row), seen: row["seen"] as number }));
    },

    async seen() {
      return { ...NO_EVENTS, [schema]: (await selectSeen())?.["seen"] as number };
    },
  };
}

export function ruleWrites(db: WriteConnection): RuleWrites {
  const insert = db.write(
    `INSERT INTO rule (id, space, name, author, author_kind, condition, consequence, most, fired, total, seen, resting,
       last_fired_at, last_refusal, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, CASE WHEN ? = 1 THEN NULL ELSE ${LAST_EVENT} END, ?, ?, ?, ?)`,
  );
  const deleteRule = db.run("DELETE FROM rule WHERE id = ?");
  const updateProgress = db.write(
    "UPDATE rule SET fired = ?, total = ?, resting = ?, last_fired_at = ?, last_refusal = ? WHERE id = ?",
  );
  const updateSeen = db.write(
    `UPDATE rule INDEXED BY rule_at_work SET seen = ${LAST_EVENT} WHERE seen IS NOT NULL AND seen < ${LAST_EVENT}`,
  );
  const pauseIn = db.write("UPDATE rule SET seen = NULL WHERE space = ?");
  const resumeIn = db.write(`UPDATE rule SET seen = ${LAST_EVENT} WHERE space = ?`);
  return {
    async add(rule, { isPaused }) {
      await insert(
        rule.id,
        rule.space,
        rule.name,
        rule.author,
        rule.authorKind,
        JSON.stringify(rule.when),
        JSON.stringify(rule.then),
        rule.most,
        rule.fired,
        rule.total,
        Number(isPaused),
        Number(rule.resting),
        rule.lastFiredAt,
        rule.lastRefusal,
        rule.createdAt,
      );
    },

    async remove(id) {
      return (await deleteRule(id)) === 1;
    },

    async progress(id, { fired, total, resting, lastFiredAt, lastRefusal }) {
      await updateProgress(fired, total, Number(resting), lastFiredAt, lastRefusal, id);
    },

    async markSeen() {
      await updateSeen();
    },

    async pause(space) {
      await pauseIn(space);
    },

    async resume(space) {
      await resumeIn(space);
    },
  };
}

function toRule(row: Row): RuleRecord {
  return {
    id: row["id"] as string,
    space: row["space"] as string,
    name: row["name"] as string,
    author: row["author"] as string,
    authorKind: row["author_kind"] as RuleRecord["authorKind"],
    when: JSON.parse(row["condition"] as string) as RuleCondition,
    then: JSON.parse(row["consequence"] as string) as RuleConsequence,
    most: row["most"] as number,
    fired: row["fired"] as number,
    total: row["total"] as number,
    seen: row["seen"] as number | null,
    resting: row["resting"] === 1,
    lastFiredAt: row["last_fired_at"] as number | null,
    lastRefusal: row["last_refusal"] as string | null,
    createdAt: row["created_at"] as number,
  };
}
