import type { GuardUse, GuardUsage, GuardUseReads, GuardUseWrites } from "../../ports/store/guard-use.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";

export function guardUseReads(db: Connection): GuardUseReads {
  const selectOfRun = db.all("SELECT * FROM guard_use WHERE run = ? ORDER BY seq");
  const selectLatest = db.all("SELECT * FROM guard_use ORDER BY seq DESC LIMIT ?");
  const sumOfDay = db.get(
    "SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens FROM guard_use WHERE mailbox = ? AND day = ?",
  );
  const selectTotals = db.all(
    `SELECT mailbox, purpose, count(*) AS asked, sum(CASE WHEN outcome <> 'answered' THEN 1 ELSE 0 END) AS unanswered, sum(wall_ms) AS wall_ms,
       sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens,
       coalesce(sum(usd), 0.0) AS known_usd, sum(CASE WHEN usd IS NULL THEN 1 ELSE 0 END) AS unknown_costs
     FROM guard_use WHERE (mailbox = ?1 OR ?1 IS NULL) AND (space = ?2 OR ?2 IS NULL) AND day >= ?3
     GROUP BY mailbox, purpose ORDER BY mailbox, purpose`,
  );
  return {
    async ofRun(run) {
      return (await selectOfRun(run)).map(toUse);
    },

    async latest(limit) {
      return (await selectLatest(limit)).map(toUse);
    },

    async tokensOfDay(mailbox, day) {
      return (await sumOfDay(mailbox, day))?.["tokens"] as number;
    },

    async totals({ mailbox = null, space = null, since = "" }) {
      return (await selectTotals(mailbox, space, since)).map((row) => ({
        mailbox: row["mailbox"] as string,
        purpose: row["purpose"] as GuardUsage["purpose"],
        asked: row["asked"] as number,
        unanswered: row["unanswered"] as number,
        wallMs: row["wall_ms"] as number,
        inputTokens: row["input_tokens"] as number,
        outputTokens: row["output_tokens"] as number,
        knownUsd: row["known_usd"] as number,
        unknownCosts: row["unknown_costs"] as number,
      }));
    },
  };
}

function toUse(row: Row): GuardUse {
  return {
    mailbox: row["mailbox"] as string,
    day: row["day"] as string,
    space: row["space"] as string,
    run: row["run"] as string | null,
    purpose: row["purpose"] as GuardUse["purpose"],
    model: row["model"] as string,
    outcome: row["outcome"] as GuardUse["outcome"],
    reason: row["reason"] as string | null,
    wallMs: row["wall_ms"] as number,
    inputTokens: row["input_tokens"] as number,
    outputTokens: row["output_tokens"] as number,
    usd: row["usd"] as number | null,
    at: row["at"] as number,
  };
}

export function guardUseWrites(db: WriteConnection): GuardUseWrites {
  const insertUse = db.write(
    `INSERT INTO guard_use (mailbox, day, space, run, purpose, model, outcome, reason, wall_ms, input_tokens, output_tokens, usd, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    async add(use) {
      const { mailbox, day, space, run, purpose, model, outcome, reason, wallMs, inputTokens, outputTokens } = use;
      await insertUse(
        mailbox,
        day,
        space,
        run,
        purpose,
        model,
        outcome,
        reason,
        wallMs,
        inputTokens,
        outputTokens,
        use.usd,
        use.at,
      );
    },
  };
}
