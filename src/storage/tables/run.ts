import { joinTranscript } from "../../domain/agent/transcript.ts";
import { addTotals, NOTHING_USED, stepTotal, type Cost, type Usage } from "../../domain/budget/usage.ts";
import { LANES, type Lane } from "../../domain/delivery/lane.ts";
import { mailboxAgent } from "../../domain/delivery/mailbox.ts";
import type { DefinitionSource, RunReads, RunRecord, RunWrites } from "../../ports/store/run.ts";
import type { Connection, Row, Value, WriteConnection } from "../connection.ts";
import { otherName } from "./delivery.ts";

export const USAGE_COLUMNS = `s.number, s.wall_ms, s.input_tokens, s.output_tokens, s.cached_tokens, s.cache_write_tokens,
  s.reasoning_tokens, s.cost_basis, s.cost_usd`;

/** `toRun` reads them in this order. */
export const RUN = `SELECT id, mailbox, space, lane, state, holder, cause, root, spoke, recoveries, started_at, ended_at, outcome,
  detail, model, reason, waits_for, waits_since, waits_until, agent, definition, fence FROM run`;

export function runReads(db: Connection): RunReads {
  const selectById = db.lists(`${RUN} WHERE id = ?`);
  const selectOpen = db.lists(`${RUN} WHERE mailbox = ? AND state = 'open'`);
  const selectUnfinished = db.lists(`${RUN} WHERE state <> 'ended' ORDER BY seq`);
  const selectLastStep = db.get(
    `SELECT ${USAGE_COLUMNS}, s.finished_at FROM step s WHERE s.run = ? ORDER BY s.number DESC LIMIT 1`,
  );
  const selectLastWhole = db.get(
    "SELECT number FROM step WHERE run = ? AND number <= ? AND continues = 0 ORDER BY number DESC LIMIT 1",
  );
  const selectTranscripts = db.lists(
    "SELECT transcript FROM step WHERE run = ? AND number >= ? AND number <= ? ORDER BY number",
  );
  const selectLastRun = db.get(
    `SELECT r.id FROM run r WHERE r.mailbox = ? AND +r.space = ? AND r.agent IS ? AND r.state = 'ended'
       AND r.details_removed_at IS NULL AND r.seq > +? AND EXISTS (SELECT 1 FROM step s WHERE s.run = r.id) ORDER BY r.id DESC LIMIT 1`,
  );
  const selectBegin = db.get("SELECT after_run FROM conversation WHERE agent = ?");
  const transcriptOf = async (run: string, upTo = Number.MAX_SAFE_INTEGER): Promise<string | null> => {
    const whole = (await selectLastWhole(run, upTo))?.["number"] as number | undefined;
    if (whole === undefined) return null;
    return joinTranscript((await selectTranscripts(run, whole, upTo)).map(([transcript]) => transcript as string));
  };
  const selectLast = db.lists(`${RUN} WHERE mailbox = ? ORDER BY id DESC LIMIT 1`);
  const selectUsageOfRun = db.all(`SELECT ${USAGE_COLUMNS} FROM step s WHERE s.run = ?`);
  const selectUsageOfTree = db.all(
    `SELECT ${USAGE_COLUMNS} FROM run r JOIN step s ON s.run = r.id WHERE r.root = ? AND r.root <> ''`,
  );
  // "+" makes SQLite use the small index of unfinished runs.
  const starting = `SELECT count(*) AS n FROM run r WHERE r.state <> 'ended'
    AND NOT EXISTS (SELECT 1 FROM step s WHERE s.run = r.id)`;
  const countOfMailbox = db.get(`${starting} AND +r.mailbox = ?`);
  const countOfSpace = db.get(`${starting} AND +r.space = ?`);
  return {
    async byId(id) {
      return (await selectById(id)).map(toRun)[0];
    },

    async openOf(mailbox) {
      return (await selectOpen(mailbox)).map(toRun)[0];
    },

    async unfinished() {
      return (await selectUnfinished()).map(toRun);
    },

    async lastActive(mailbox) {
      const [last] = (await selectLast(mailbox)).map(toRun);
      return last === undefined ? null : (last.endedAt ?? last.startedAt);
    },

    async lastStep(run) {
      const row = await selectLastStep(run);
      if (row === undefined) return undefined;
      return {
        run,
        number: row["number"] as number,
        finishedAt: row["finished_at"] as number,
        wallMs: row["wall_ms"] as number,
        usage: toUsage(row),
      };
    },

    async transcript(run, upTo) {
      return transcriptOf(run, upTo);
    },

    async lastTranscript({ mailbox, agent, space }) {
      const begin = space.startsWith("@") ? 0 : (((await selectBegin(space))?.["after_run"] ?? 0) as number);
      const last = (await selectLastRun(mailbox, space, otherName(agent, mailbox), begin))?.["id"] as
        | string
        | undefined;
      return last === undefined ? null : transcriptOf(last);
    },

    async usage(of) {
      const rows = "run" in of ? await selectUsageOfRun(of.run) : await selectUsageOfTree(of.root);
      return rows
        .map((row) =>
          stepTotal({ number: row["number"] as number, wallMs: row["wall_ms"] as number, usage: toUsage(row) }),
        )
        .reduce(addTotals, NOTHING_USED);
    },

    async countStarting(of) {
      return ("mailbox" in of ? await countOfMailbox(of.mailbox) : await countOfSpace(of.space))?.["n"] as number;
    },
  };
}

export function runWrites(db: WriteConnection): RunWrites {
  const insertRun = db.write(
    `INSERT INTO run (id, mailbox, space, lane, state, holder, cause, root, spoke, recoveries, started_at, ended_at,
       outcome, detail, model, reason, waits_for, waits_since, waits_until, agent, definition, fence)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const moveRun = db.run(
    `UPDATE run SET state = ?, lane = ?, holder = ?, fence = ?, recoveries = ?, reason = ?, waits_for = ?,
       waits_since = ?, waits_until = ?
     WHERE id = ? AND state <> 'ended'`,
  );
  const setSpoke = db.write("UPDATE run SET spoke = 1 WHERE id = ?");
  const setModel = db.write("UPDATE run SET model = ? WHERE id = ?");
  const insertStep = db.write(
    `INSERT INTO step (run, number, finished_at, wall_ms, input_tokens, output_tokens, cached_tokens,
       cache_write_tokens, reasoning_tokens, cost_basis, cost_usd, transcript, continues)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const hasStep = db.get("SELECT 1 FROM step WHERE run = ? AND number = ?");
  const resetRecoveries = db.write("UPDATE run SET recoveries = 0 WHERE id = ? AND recoveries > 0");
  const endRun = db.run(
    `UPDATE run SET state = 'ended', ended_at = ?, outcome = ?, detail = ?, reason = ?, waits_for = NULL,
       waits_since = NULL, waits_until = NULL
     WHERE id = ? AND state <> 'ended'`,
  );
  return {
    async open(run) {
      await insertRun(
        run.id,
        run.mailbox,
        run.space,
        LANES.indexOf(run.lane),
        run.state,
        run.leaseOwner,
        run.cause,
        run.root,
        Number(run.spoke),
        run.recoveries,
        run.startedAt,
        run.endedAt,
        run.outcome,
        run.detail,
        run.model,
        run.reason,
        run.waitsFor,
        run.waitsSince,
        run.waitsUntil,
        otherName(run.agent, run.mailbox),
        run.definition === null ? null : JSON.stringify(run.definition),
        run.fence,
      );
    },

    async move(id, { state, lane, leaseOwner, fence, recoveries, reason, waitsFor, waitsSince, waitsUntil }) {
      const wait = [reason, waitsFor, waitsSince, waitsUntil] as const;
      return (await moveRun(state, LANES.indexOf(lane), leaseOwner, fence, recoveries, ...wait, id)) === 1;
    },

    async markSpoke(id) {
      await setSpoke(id);
    },

    async setModel(id, model) {
      await setModel(model, id);
    },

    async checkpoint(step) {
      const { cost, ...tokens } = step.usage;
      if (step.continues && (await hasStep(step.run, step.number - 1)) === undefined) {
        throw new Error(`step ${step.number} of ${step.run} continues a step that is not stored`);
      }
      await insertStep(
        step.run,
        step.number,
        step.finishedAt,
        step.wallMs,
        tokens.inputTokens,
        tokens.outputTokens,
        tokens.cachedInputTokens,
        tokens.cacheWriteTokens,
        tokens.reasoningTokens,
        cost.basis,
        cost.basis === "unknown" ? null : cost.usd,
        step.transcript,
        Number(step.continues),
      );
      await resetRecoveries(step.run);
    },

    async end(id, { endedAt, outcome, detail, reason }) {
      return (await endRun(endedAt, outcome, detail, reason, id)) === 1;
    },
  };
}

export function toRun(row: readonly Value[]): RunRecord {
  return {
    id: row[0] as string,
    mailbox: row[1] as string,
    space: row[2] as string,
    lane: LANES[row[3] as number] as Lane,
    state: row[4] as RunRecord["state"],
    leaseOwner: row[5] as string,
    cause: row[6] as string,
    root: row[7] as string,
    spoke: row[8] === 1,
    recoveries: row[9] as number,
    startedAt: row[10] as number,
    endedAt: row[11] as number | null,
    outcome: row[12] as RunRecord["outcome"],
    detail: row[13] as string | null,
    model: row[14] as string | null,
    reason: row[15] as string | null,
    waitsFor: row[16] as RunRecord["waitsFor"],
    waitsSince: row[17] as number | null,
    waitsUntil: row[18] as number | null,
    agent: (row[19] as string | null) ?? mailboxAgent(row[1] as string),
    definition: row[20] === null ? null : (JSON.parse(row[20] as string) as DefinitionSource),
    fence: row[21] as number,
  };
}

export function toUsage(row: Row): Usage {
  return {
    inputTokens: row["input_tokens"] as number | null,
    outputTokens: row["output_tokens"] as number | null,
    cachedInputTokens: row["cached_tokens"] as number | null,
    cacheWriteTokens: row["cache_write_tokens"] as number | null,
    reasoningTokens: row["reasoning_tokens"] as number | null,
    cost: toCost(row),
  };
}

function toCost(row: Row): Cost {
  const basis = row["cost_basis"] as Cost["basis"];
  return basis === "unknown" ? { basis } : { basis, usd: row["cost_usd"] as number };
}
