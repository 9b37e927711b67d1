import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSetupShell } from "../../../src/engines/shell/setup-shell.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import type { ShellCommand } from "../../../src/ports/shell.ts";
import { processGone } from "../../support/process/process-gone.ts";
import { temporaryFolder, type TemporaryFolder } from "../../support/temporary-folder.ts";

const shell = createSetupShell(systemClock);

function run(folder: TemporaryFolder, command: string, more: Partial<ShellCommand> = {}) {
  const env = { PATH: process.env["PATH"] ?? "", ...more.env };
  const request: ShellCommand = { command, cwd: folder.path, timeoutMs: 60_000, ...more, env };
  return shell.run(request, new AbortController().signal);
}

describe("the shell of a setup", () => {
  it("answers with the output and lets people watch all of it", async () => {
    using folder = temporaryFolder();
    let watched = "";
    const result = await run(folder, 'echo "one $GIVEN"; echo; env | grep SECRET; echo why >&2; exit 3', {
      env: { GIVEN: "value" },
      watch: (text) => (watched += text),
    });
    expect(result).toEqual({ code: 3, timedOut: false, output: "one value\n", truncated: false, errors: "why" });
    expect(watched.split("\n").toSorted()).toEqual(["", "", "one value", "why"]);
  });

  it("keeps the start of the output and the end of the errors, and reads the rest", async () => {
    using folder = temporaryFolder();
    const result = await run(folder, "echo first; yes é | head -c 52000000; yes x | head -c 20000 >&2; echo last >&2");
    expect(result).toMatchObject({ code: 0, truncated: true });
    expect(result.output.length).toBe(32 * 1024 * 1024 - 1);
    expect(result.output.startsWith("first\né\n")).toBe(true);
    expect(result.errors.length).toBeLessThanOrEqual(4 * 1024);
    expect(result.errors.endsWith("x\nlast")).toBe(true);
  });

  it("is not held by what a command left in the background, which ends with it", async () => {
    using folder = temporaryFolder();
    expect(await run(folder, "sleep 300 & echo $! > pid; echo up")).toMatchObject({ code: 0, output: "up" });
    expect(await processGone(Number(readFileSync(folder.in("pid"), "utf8")))).toBe(true);
  });

  it("says why a command could not be started", async () => {
    using folder = temporaryFolder();
    expect(await run(folder, "true", { cwd: folder.in("nope") })).toMatchObject({
      code: null,
      timedOut: false,
      errors: expect.stringContaining(`could not be started in ${folder.in("nope")}: spawn sh ENOENT`),
    });
  });
});
