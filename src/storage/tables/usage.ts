import { addTotals, stepTotal, subtractTotals, type UsageTotal } from "../../domain/budget/usage.ts";
import { utcDay } from "../../domain/budget/day.ts";
import type { DayUsage, UnpricedStep, UsageReads, UsageWrites } from "../../ports/store/usage.ts";
import type { Connection, Row, WriteConnection } from "../connection.ts";
import { toUsage, USAGE_COLUMNS } from "./run.ts";

/** In the order of the table. */
const COUNTERS = ["runs", "steps", "wall_ms", "tokens", "unknown_token_steps"] as const;
const CLASSES = ["input_tokens", "output_tokens", "cached_tokens", "cache_write_tokens", "reasoning_tokens"] as const;
const MONEY = ["reported_usd", "estimated_usd", "unknown_cost_steps"] as const;

const SUMS = [
  ...[...COUNTERS, ...MONEY].map((column) => `coalesce(sum(${column}), 0) AS ${column}`),
  ...CLASSES.map((column) => `sum(${column}) AS ${column}`),
].join(", ");

const UNKNOWN_MODEL = "unknown";

export function usageReads(db: Connection): UsageReads {
  const sumOfDay = db.get(`SELECT ${SUMS} FROM usage WHERE mailbox = ? AND day = ?`);
  const sumSinceOpening = db.get(`SELECT ${SUMS} FROM usage WHERE space = ? AND life = ?`);
  const filter = "(mailbox = ?1 OR ?1 IS NULL) AND (space = ?2 OR ?2 IS NULL) AND day >= ?3";
  const sumBy = (part: "mailbox" | "space" | "day") =>
    db.all(`SELECT ${part} AS key, ${SUMS} FROM usage WHERE ${filter} GROUP BY ${part} ORDER BY ${part}`);
  const sums = { mailbox: sumBy("mailbox"), space: sumBy("space"), day: sumBy("day") };
  const sumByDay = (part: "mailbox" | "space") =>
    db.all(
      `SELECT day, ${part} AS key, ${SUMS} FROM usage WHERE ${filter} GROUP BY day, ${part} ORDER BY day, ${part}`,
    );
  const daySums = { mailbox: sumByDay("mailbox"), space: sumByDay("space") };
  const selectSteps = db.all(
    `SELECT ${USAGE_COLUMNS}, s.finished_at, coalesce(r.model, '${UNKNOWN_MODEL}') AS model FROM run r JOIN step s ON s.run = r.id
     WHERE (r.mailbox = ?1 OR ?1 IS NULL) AND (r.space = ?2 OR ?2 IS NULL) AND s.finished_at >= ?3`,
  );
  const unpriced = `SELECT ${USAGE_COLUMNS}, s.run, r.model FROM run r JOIN step s ON s.run = r.id
    WHERE s.cost_basis = 'unknown' AND r.model IS NOT NULL`;
  const unpricedOfRun = db.all(`${unpriced} AND r.id = ? ORDER BY s.number`);
  const unpricedSince = db.all(`${unpriced} AND s.finished_at >= ? ORDER BY r.seq, s.number`);
  const unpricedOfMailbox = db.all(`${unpriced} AND r.mailbox = ? AND s.finished_at >= ? ORDER BY r.seq, s.number`);
  const unpricedOfSpace = db.all(`${unpriced} AND r.space = ? AND s.finished_at >= ? ORDER BY r.seq, s.number`);
  return {
    async ofDay(mailbox, day) {
      return toTotal((await sumOfDay(mailbox, day)) ?? {});
    },

    async sinceOpening(space, openedAt) {
      return toTotal((await sumSinceOpening(space, openedAt)) ?? {});
    },

    async by(part, { mailbox = null, space = null, since = "" }) {
      return (await sums[part](mailbox, space, since)).map((row) => ({
        key: row["key"] as string,
        total: toTotal(row),
      }));
    },

    async history(part, { mailbox = null, space = null, since = "" }) {
      if (part !== "model") {
        const rows = await daySums[part](mailbox, space, since);
        return rows.map((row) => ({ day: row["day"] as string, key: row["key"] as string, total: toTotal(row) }));
      }
      const known = sumByModel(await selectSteps(mailbox, space, since === "" ? 0 : Date.parse(since)));
      const all = (await sums.day(mailbox, space, since)).map((row) => ({
        day: row["key"] as string,
        total: toTotal(row),
      }));
      return withRest(known, all);
    },

    async unpriced(query) {
      if ("run" in query) return (await unpricedOfRun(query.run)).map(toUnpriced);
      if ("mailbox" in query) return (await unpricedOfMailbox(query.mailbox, query.since)).map(toUnpriced);
      if ("space" in query) return (await unpricedOfSpace(query.space, query.since)).map(toUnpriced);
      return (await unpricedSince(query.since)).map(toUnpriced);
    },
  };
}

export function usageWrites(db: WriteConnection): UsageWrites {
  const columns = [...COUNTERS, ...CLASSES, ...MONEY];
  const increments = [
    ...[...COUNTERS, ...MONEY].map((column) => `${column} = usage.${column} + excluded.${column}`),
    ...CLASSES.map(
      (column) => `${column} = coalesce(usage.${column} + excluded.${column}, usage.${column}, excluded.${column})`,
    ),
  ];
  const addTo = db.write(
    `INSERT INTO usage (mailbox, day, space, life, ${columns.join(", ")})
     VALUES (?, ?, ?, ?, ${columns.map(() => "?").join(", ")})
     ON CONFLICT (mailbox, day, space, life) DO UPDATE SET ${increments.join(", ")}`,
  );
  const selectUnpriced = db.get(
    `SELECT r.mailbox, r.space, s.finished_at FROM step s JOIN run r ON r.id = s.run
     WHERE s.run = ? AND s.number = ? AND s.cost_basis = 'unknown'`,
  );
  const priceStep = db.write("UPDATE step SET cost_basis = 'estimated', cost_usd = ? WHERE run = ? AND number = ?");
  // A workspace that was opened again on the same day has several rows: the step is in the last one before it.
  const addCost = db.write(
    `UPDATE usage SET estimated_usd = estimated_usd + ?1, unknown_cost_steps = unknown_cost_steps - 1
     WHERE mailbox = ?2 AND day = ?3 AND space = ?4 AND unknown_cost_steps > 0 AND life =
       (SELECT max(life) FROM usage WHERE mailbox = ?2 AND day = ?3 AND space = ?4 AND life <= ?5)`,
  );
  return {
    async price(run, step, usd) {
      const row = await selectUnpriced(run, step);
      if (row === undefined) return;
      const finishedAt = row["finished_at"] as number;
      await priceStep(usd, run, step);
      await addCost(usd, row["mailbox"] as string, utcDay(finishedAt), row["space"] as string, finishedAt);
    },

    async add({ mailbox, day, space, openedAt }, used) {
      await addTo(
        mailbox,
        day,
        space,
        openedAt,
        used.runs,
        used.steps,
        used.wallMs,
        used.tokens,
        used.unknownTokenSteps,
        used.inputTokens,
        used.outputTokens,
        used.cachedInputTokens,
        used.cacheWriteTokens,
        used.reasoningTokens,
        used.reportedUsd,
        used.estimatedUsd,
        used.unknownCostSteps,
      );
    },
  };
}

/** Sums of days and models have no rows of their own, because the model belongs to the run. */
function sumByModel(rows: readonly Row[]): DayUsage[] {
  const sums = new Map<string, DayUsage>();
  for (const row of rows) {
    const [day, key] = [utcDay(row["finished_at"] as number), row["model"] as string];
    const total = stepTotal({ number: row["number"] as number, wallMs: row["wall_ms"] as number, usage: toUsage(row) });
    const before = sums.get(`${day} ${key}`);
    sums.set(`${day} ${key}`, { day, key, total: before === undefined ? total : addTotals(before.total, total) });
  }
  return [...sums.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

/**
 * Adds what is in the sums of the days and in no stored step, with an unknown model: runs that failed before their first
 * step, and runs that were removed because they were old. So the sums by model are those by agent and by workspace.
 */
function withRest(known: readonly DayUsage[], all: readonly Pick<DayUsage, "day" | "total">[]): DayUsage[] {
  const rest = all.flatMap(({ day, total }): DayUsage[] => {
    const found = known.filter((each) => each.day === day).map((each) => each.total);
    const left = found.reduce(subtractTotals, total);
    return left.runs > 0 || left.steps > 0 ? [{ day, key: UNKNOWN_MODEL, total: left }] : [];
  });
  const days = Map.groupBy([...known, ...rest], ({ day, key }) => `${day} ${key}`);
  return [...days.entries()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, group]) =>
      group.slice(0, 1).map((each) => ({ ...each, total: group.map(({ total }) => total).reduce(addTotals) })),
    );
}

function toTotal(row: Row): UsageTotal {
  return {
    runs: row["runs"] as number,
    steps: row["steps"] as number,
    wallMs: row["wall_ms"] as number,
    tokens: row["tokens"] as number,
    unknownTokenSteps: row["unknown_token_steps"] as number,
    inputTokens: row["input_tokens"] as number | null,
    outputTokens: row["output_tokens"] as number | null,
    cachedInputTokens: row["cached_tokens"] as number | null,
    cacheWriteTokens: row["cache_write_tokens"] as number | null,
    reasoningTokens: row["reasoning_tokens"] as number | null,
    reportedUsd: row["reported_usd"] as number,
    estimatedUsd: row["estimated_usd"] as number,
    unknownCostSteps: row["unknown_cost_steps"] as number,
  };
}

function toUnpriced(row: Row): UnpricedStep {
  return {
    run: row["run"] as string,
    number: row["number"] as number,
    model: row["model"] as string,
    usage: toUsage(row),
  };
}
