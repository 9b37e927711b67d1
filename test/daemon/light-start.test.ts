import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const DAEMON = fileURLToPath(new URL("../../src/daemon/daemon.ts", import.meta.url));

/** What a careless import brings in: parts of Node, and packages that only some work needs. */
const HEAVY = [
  /^internal\/deps\/undici\//,
  /^internal\/http2\//,
  /\/node_modules\/(?:ai|@ai-sdk|@modelcontextprotocol|@agentclientprotocol|just-bash)\//,
];

const PROGRAM = `
  import { registerHooks } from "node:module";
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import(process.argv[1]);
  loaded.push(...process.moduleLoadList.map((each) => each.replace(/^NativeModule /, "")));
  process.stdout.write(loaded.join("\\n"));
`;

it("loads neither Node's HTTP client nor the libraries of models and protocols to be ready", async () => {
  const args = ["--input-type=module", "-e", PROGRAM, DAEMON];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * 1024 * 1024 });
  const loaded = stdout.split("\n");
  expect(loaded).toContain("http");
  expect(loaded.some((each) => each.includes("/node_modules/zod/"))).toBe(true);
  expect(loaded.filter((each) => HEAVY.some((heavy) => heavy.test(each)))).toEqual([]);
}, 60_000);
