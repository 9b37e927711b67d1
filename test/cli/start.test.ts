import { execFile, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryFolder, type TemporaryFolder } from "../support/temporary-folder.ts";

const launcher = fileURLToPath(new URL("../../bin/agent-worker.js", import.meta.url));
const run = promisify(execFile);

describe("start", () => {
  it("keeps a workspace at work until it is stopped, and the next start goes on with it", async () => {
    using folder = temporaryFolder();
    mkdirSync(folder.in(".agents"), { recursive: true });
    mkdirSync(folder.in(".workflows"));
    writeFileSync(folder.in(".agents/ann.yaml"), "name: ann\nbackend: mock\nprompt: { system: Answer. }\n");
    writeFileSync(
      folder.in(".workflows/desk.yaml"),
      'name: desk\nagents:\n  ann: { ref: ann }\nkickoff: "@ann hello"\n',
    );

    const first = await startAndStop(folder, ["desk"], "ann");
    expect(first).toMatchObject({ code: 130 });
    expect(first.said).toContain("system      @ann hello");

    const again = await run(process.execPath, [launcher, "call", "list-workspaces"], { cwd: folder.path });
    expect(again.stdout).toContain('"state": "open"');
    expect(await startAndStop(folder, [], null)).toMatchObject({ code: 130 });
  });
});

/** Runs `start` until `name` has spoken (or has had a moment, without one), then interrupts it. */
async function startAndStop(folder: TemporaryFolder, args: string[], name: string | null) {
  const env = { PATH: process.env.PATH, HOME: folder.path };
  const child = spawn(process.execPath, [launcher, "start", ...args], { cwd: folder.path, env });
  let said = "";
  const spoken = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (name !== null && said.includes(`${name} `)) resolve();
    });
    if (name === null) setTimeout(resolve, 1_000);
  });
  await spoken;
  child.kill("SIGINT");
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { code, said };
}
