import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

const launcher = fileURLToPath(new URL("../../bin/agent-worker.js", import.meta.url));
const run = promisify(execFile);

it("plays a whole team without a key, and leaves nothing behind", async () => {
  using folder = temporaryFolder();
  const env = { PATH: process.env.PATH, HOME: folder.path, TMPDIR: folder.path };

  const { stdout, stderr } = await run(process.execPath, [launcher, "demo"], { cwd: folder.path, env });

  expect(stderr).toBe("");
  expect(stdout).toContain("@coder the bound should be");
  expect(stdout).toContain("wins the ballot");
  expect(stdout).toContain("Fixed, @reviewer");
  expect(stdout).toMatch(/Done\. \d+ messages, 6 runs, documents: decisions\.md, notes\.md\./);
  expect(readdirSync(folder.path)).toEqual([]);
});
