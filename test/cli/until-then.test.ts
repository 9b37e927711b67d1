import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const launcher = fileURLToPath(new URL("../../bin/agent-worker.js", import.meta.url));
const run = promisify(execFile);

it.each([
  ["agent", "call list-agents"],
  ["dead", "call list-dead-letters"],
  ["send", "call send-message"],
])("a command that hints name and that is still to come says what to use: %s", async (name, instead) => {
  await expect(run(process.execPath, [launcher, name, "list"])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(instead) as string,
  });
});
