import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.ts";
import { commandFolder } from "../support/daemon/installed-command.ts";

/** What bash would offer for the word the cursor is in, the last one. */
function offered(script: string, words: readonly string[]): string[] {
  const asked = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _agent_worker; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync("bash", ["--norc", "-uc", asked, script, "agent-worker", ...words], {
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout.split("\n").filter((word) => word !== "");
}

describe("agent-worker completion", () => {
  it("[cli.completion] makes bash offer commands, subcommands, fixed words and options", async () => {
    using folder = commandFolder();
    const { exit, out, err } = await folder.run(["completion", "bash"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    const script = folder.in("completion.bash");
    writeFileSync(script, out);
    expect(offered(script, [""])).toEqual(expect.arrayContaining(commandTable.map(({ name }) => name)));
    expect(offered(script, ["comp"])).toEqual(["completion"]);
    expect(offered(script, ["doc", ""])).toEqual(expect.arrayContaining(["list", "read", "suggest"]));
    expect(offered(script, ["doc", "list", "@review", "--j"])).toEqual(["--json"]);
    expect(offered(script, ["proposal", "create", "@review", "--res"])).toEqual(["--resolution"]);
    expect(offered(script, ["schedule", "alice", "s"])).toEqual(["set"]);
    expect(offered(script, ["send", "alice", "doc"])).toEqual([]);
    expect(offered(script, ["list", "--p"])).toEqual(offered(script, ["ls", "--p"]));
  });

  it.each(["zsh", "fish"])("[cli.completion] prints a script that %s can read", async (shell) => {
    using folder = commandFolder();
    const { exit, out } = await folder.run(["completion", shell, "--json"]);
    const { script } = JSON.parse(out) as { script: string };
    expect(exit).toBe(0);
    for (const { name } of commandTable) expect(script).toMatch(new RegExp(`\\b${name}\\b`));
    writeFileSync(folder.in("script"), script);
    const { error, status } = spawnSync(shell, ["-n", folder.in("script")]);
    if (error === undefined) expect(status).toBe(0);
  });

  it("[cli.errors] names the shells it knows", async () => {
    using folder = commandFolder();
    expect(await folder.run(["completion", "bsh"])).toMatchObject({
      exit: 2,
      err: expect.stringContaining("mean bash?"),
    });
    expect(await folder.run(["completion"])).toMatchObject({ exit: 2, out: "" });
  });
});
