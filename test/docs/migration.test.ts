import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPLACED_COMMANDS } from "../../src/cli/replaced-commands.ts";
import { commandFolder } from "../support/daemon/installed-command.ts";

const rows = readFileSync(join(import.meta.dirname, "../../docs/migration.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"));

/** Everything the page calls an old spelling that still works. */
const OLD_PROJECT = {
  ".agents.yaml": "agents:\n  - .agents/alice.yaml\n",
  ".agents/alice.yaml": "name: alice\nmodel: anthropic:claude-sonnet-4-5\nsystem_prompt: prompts/alice.md\n",
  "prompts/alice.md": "You review changes.\n",
  ".workflows/review.yaml": [
    "agents:",
    "  alice: { ref: alice }",
    "  coder: { model: openai/gpt-5, system_prompt: You fix what was found. }",
    "context:",
    "  provider: file",
    "  config: { dir: kept, db: old.db }",
    'kickoff: "@alice please review."',
    "",
  ].join("\n"),
};

describe("docs/migration.md", () => {
  it.each(Object.entries(REPLACED_COMMANDS))("[docs.migration] says what became of %s", (old, now) => {
    const [command = ""] = now.split(" ");
    const row = rows.find((line) => line.startsWith(`| \`agent-worker ${old}`));
    expect(row?.split("|")[2]).toContain(`agent-worker ${command}`);
  });

  it("[docs.migration] promises old spellings that are understood", async () => {
    using folder = commandFolder(OLD_PROJECT);
    const { exit, err } = await folder.run(["check"]);
    expect(exit).toBe(0);
    const complaints = err.split("\n").filter((line) => /^\S+:\d+:\d+:/.test(line));
    expect(complaints).toEqual([expect.stringMatching(/^\.workflows\/review\.yaml:6:24: warning: "db" has no effect/)]);
  });

  it("[docs.migration] names the one thing that has to be rewritten, and so does the program", async () => {
    expect(rows.find((line) => line.startsWith("| `tasks:`"))).toContain("`setup:` and `kickoff:`");
    using folder = commandFolder({ ".workflows/old.yaml": "agents: {}\ntasks:\n  - shell: gh pr diff\n" });
    const { exit, err } = await folder.run(["check"]);
    expect(exit).toBe(2);
    expect(err).toContain('.workflows/old.yaml:2:1: "tasks" was replaced by "setup" and "kickoff".');
  });
});
