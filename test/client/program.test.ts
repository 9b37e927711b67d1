import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandFolder } from "../support/daemon/installed-command.ts";

const ENTRY = join(import.meta.dirname, "../../src/client/public-api.ts");

/** Nothing but what it waits for keeps this program alive: a daemon that comes, one that goes, and the next one. */
const PROGRAM = `
import { createClient } from ${JSON.stringify(ENTRY)};
const client = await createClient({ project: process.cwd(), autoStart: true });
const events = client.events({ since: 0 });
const message = async () => {
  while ((await events.next()).value.type !== "message.posted");
};
await client.call("grant-trust", {});
await client.serve({ agent: "alice", message: "one" });
await message();
await message();
await client.shutdown();
console.log("alone");
await message();
console.log("found the next daemon");
await events.return();
client[Symbol.dispose]();
`;

it("a program stays alive while it waits for a daemon", { timeout: 60_000 }, async () => {
  using folder = commandFolder({ ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: Help. }\n" });
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path, AGENT_WORKER_PORT: "0" };
  writeFileSync(folder.in("program.mjs"), PROGRAM);
  const program = spawn(process.execPath, ["program.mjs"], {
    cwd: folder.path,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    timeout: 45_000,
    killSignal: "SIGKILL",
  });
  const ended = once(program, "close");
  let told = "";
  for await (const text of program.stdout) {
    told += String(text);
    if (told === "alone\n") await folder.run(["send", "alice", "two"], { env });
  }
  await ended;
  await folder.run(["daemon", "stop"], { env });
  expect({ exit: program.exitCode, told }).toEqual({ exit: 0, told: "alone\nfound the next daemon\n" });
});
