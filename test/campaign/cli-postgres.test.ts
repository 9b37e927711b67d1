import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { startServer } from "../support/postgres/server.ts";

const repository = join(import.meta.dirname, "../..");
/** Projects that the tests of the command line put on the server, at least. */
const PROJECTS = 10;

it("[store.conformance] [context.store] every test of the command line passes with its project on PostgreSQL", async () => {
  await using server = await startServer({ settings: { max_connections: "300" } });
  const url = server.urlOf("unused").replace(/\?.*/, "");
  const { CAMPAIGN: _campaign, ...env } = process.env;
  const vitest = spawn("npx", ["vitest", "run", "test/cli"], {
    cwd: repository,
    env: { ...env, AGENT_WORKER_TEST_SERVER: url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [vitest.stdout, vitest.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  const [code] = (await once(vitest, "close")) as [number];
  expect(code, said.slice(-20_000)).toBe(0);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname LIKE 't\\_%'");
  await client.end();
  expect(rows.length).toBeGreaterThanOrEqual(PROJECTS);
});
