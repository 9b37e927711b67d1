import { readFileSync } from "node:fs";
import type { TestServer } from "../postgres/server.ts";

/** A step that an engine began, as the log of the cluster has it. */
export interface BegunStep {
  readonly node: string;
  readonly run: string;
  readonly step: number;
  /** By the clock of the machine, which is also that of the server. */
  readonly at: number;
}

/** A line of its own, closed by a dot: a kill may cut any write short. */
export function clusterStep({ node, run, step, at }: BegunStep): string {
  return `\n${node} ${run} ${step} ${at}.\n`;
}

export function readBegunSteps(file: string): BegunStep[] {
  return [...readFileSync(file, "utf8").matchAll(/^(\S+) (\S+) (\d+) (\d+)\.$/gm)].map(([, node, run, step, at]) => ({
    node: node ?? "",
    run: run ?? "",
    step: Number(step),
    at: Number(at),
  }));
}

/**
 * Lets the server itself write down every claim of a run and every stored step, with the name of the session that did it.
 * So what the nodes did is seen without asking them.
 */
export async function keepLedger(server: TestServer, schema: string): Promise<void> {
  const at = "(extract(epoch FROM clock_timestamp()) * 1000)::float8";
  await server.query(`
    CREATE TABLE ${schema}_claims (n bigserial, at float8, session text, run text, mailbox text, state text, holder text, fence bigint, deaths bigint);
    CREATE TABLE ${schema}_steps (n bigserial, at float8, session text, run text, number bigint, holder text, fence bigint);
    CREATE TABLE ${schema}_nodes (n bigserial, at float8, name text, instance text);
    CREATE FUNCTION ${schema}_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.${schema}_claims (at, session, run, mailbox, state, holder, fence, deaths)
        VALUES (${at}, current_setting('application_name'), NEW.id, NEW.mailbox, NEW.state, NEW.holder, NEW.fence, NEW.recoveries);
      RETURN NULL; END $$;
    CREATE FUNCTION ${schema}_step() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.${schema}_steps (at, session, run, number, holder, fence)
        SELECT ${at}, current_setting('application_name'), NEW.run, NEW.number, holder, fence FROM ${schema}.run WHERE id = NEW.run;
      RETURN NULL; END $$;
    CREATE FUNCTION ${schema}_node() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO public.${schema}_nodes (at, name, instance) VALUES (${at}, NEW.name, NEW.instance);
      RETURN NULL; END $$;
    INSERT INTO ${schema}_nodes (at, name, instance) SELECT ${at}, name, instance FROM ${schema}.node;
    CREATE TRIGGER ledger AFTER INSERT OR UPDATE OF state, holder, fence ON ${schema}.run FOR EACH ROW EXECUTE FUNCTION ${schema}_claim();
    CREATE TRIGGER ledger AFTER INSERT OR UPDATE ON ${schema}.step FOR EACH ROW EXECUTE FUNCTION ${schema}_step();
    CREATE TRIGGER ledger AFTER INSERT OR UPDATE OF instance ON ${schema}.node FOR EACH ROW EXECUTE FUNCTION ${schema}_node();
  `);
}

export interface LedgerFindings {
  /** Runs of one mailbox that were open at the same time. */
  readonly overlapping: readonly unknown[];
  /** Steps that a node stored which did not have the run. */
  readonly foreign: readonly unknown[];
  /** Steps that were stored more than once. */
  readonly repeated: readonly unknown[];
  readonly claims: number;
  readonly steps: number;
}

export async function readLedger(server: TestServer, schema: string): Promise<LedgerFindings> {
  const overlapping = await server.query(`
    SELECT * FROM (
      SELECT n, run, holder, state, fence, mailbox,
        lag(state) OVER w AS before, lag(run) OVER w AS run_before, lag(holder) OVER w AS holder_before
      FROM ${schema}_claims WINDOW w AS (PARTITION BY mailbox ORDER BY n)) AS each
    WHERE state = 'open' AND before = 'open' AND (run <> run_before OR holder <> holder_before)`);
  const foreign = await server.query(`
    SELECT DISTINCT s.* FROM ${schema}_steps s JOIN ${schema}_nodes i ON i.instance = s.holder
    WHERE s.session <> 'agent-worker ${schema} ' || i.name`);
  const repeated = await server.query(
    `SELECT run, number, count(*) FROM ${schema}_steps GROUP BY run, number HAVING count(*) > 1`,
  );
  const [counts] = await server.query(
    `SELECT (SELECT count(*) FROM ${schema}_claims WHERE state = 'open')::int AS claims, (SELECT count(*) FROM ${schema}_steps)::int AS steps`,
  );
  return { overlapping, foreign, repeated, claims: Number(counts?.["claims"]), steps: Number(counts?.["steps"]) };
}

/** Steps that an engine began after they had been stored: finished steps that were repeated. */
export async function findRepeated(
  server: TestServer,
  schema: string,
  begun: readonly BegunStep[],
): Promise<BegunStep[]> {
  const stored = new Map<string, number>();
  for (const { run, number, at } of await server.query(`SELECT run, number, at FROM ${schema}_steps`)) {
    stored.set(`${String(run)} ${Number(number)}`, Number(at));
  }
  return begun.filter(({ run, step, at }) => at > (stored.get(`${run} ${step}`) ?? Infinity));
}

/** A run that a node had when it was killed. */
export interface TakeOver {
  /** Milliseconds until it was given free. */
  readonly freeMs: number;
  /** Milliseconds until a node had it again. */
  readonly claimedMs: number;
  /** It has seen several deaths without a finished step between: it waits a while, so that it cannot take down all nodes. */
  readonly isSuspect: boolean;
}

export async function readTakeOvers(
  server: TestServer,
  schema: string,
  kills: readonly { readonly node: string; readonly at: number }[],
): Promise<TakeOver[]> {
  const claims = await server.query(
    `SELECT DISTINCT c.n, c.at, c.run, c.state, c.deaths, i.name
     FROM ${schema}_claims c JOIN ${schema}_nodes i ON i.instance = c.holder ORDER BY c.n`,
  );
  const found: TakeOver[] = [];
  for (const { node, at } of kills) {
    const last = new Map<string, Record<string, unknown>>();
    for (const claim of claims) if (Number(claim["at"]) <= at) last.set(String(claim["run"]), claim);
    for (const [run, { state, name }] of last) {
      if (state !== "open" || name !== node) continue;
      const later = claims.filter((each) => each["run"] === run && Number(each["at"]) > at);
      const free = later[0];
      const claimed = later.find((each) => each["state"] === "open");
      if (free === undefined || claimed === undefined) continue;
      found.push({
        freeMs: Number(free["at"]) - at,
        claimedMs: Number(claimed["at"]) - at,
        isSuspect: Number(free["deaths"]) > 2,
      });
    }
  }
  return found;
}
