import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandFolder, type CommandFolder } from "../support/daemon/installed-command.ts";

/** The command in a home where a daemon of the user would be found, if the demo used or left one. */
const demo = (folder: CommandFolder, ...args: string[]) =>
  folder.run(["demo", ...args], { env: { TMPDIR: folder.path, AGENT_WORKER_PORT: "1" } });

it("[cli.demo] plays a whole team without a key through a daemon of its own, and leaves nothing behind", async () => {
  using folder = commandFolder();
  const { exit, out, err } = await demo(folder);
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  expect(out).toMatch(/through a daemon at http:\/\/127\.0\.0\.1:\d+\./);
  expect(out).toContain("@coder the bound should be");
  expect(out).toContain("wins the ballot");
  expect(out).toContain("Fixed, @reviewer");
  expect(out).toMatch(/Done\. \d+ messages, 8 runs, documents: decisions\.md, notes\.md\./);
  expect(readdirSync(folder.path)).toEqual([]);
});

it("[cli.demo] [cli.json] tells programs the same, and keeps the folder when it is asked to", async () => {
  using folder = commandFolder();
  const { exit, out, err } = await demo(folder, "--json", "--keep");
  expect({ exit, err }).toEqual({ exit: 0, err: "" });
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(events.at(-1)).toMatchObject({
    type: "done",
    success: true,
    failed: [],
    runs: 8,
    documents: ["decisions.md", "notes.md"],
  });
  const kept = readdirSync(folder.path).find((name) => name.startsWith("agent-worker-demo-")) ?? "";
  const project = join(folder.path, kept, "review-team");
  expect(existsSync(join(folder.path, kept, "home"))).toBe(false);
  const notes = readdirSync(project, { recursive: true, encoding: "utf8" }).find((path) => path.endsWith("notes.md"));
  expect(readFileSync(join(project, notes ?? ""), "utf8")).toContain("## Outcome");
});
