import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../src/cli/command-table.ts";
import { commandFolder } from "../support/installed-command.ts";

const repository = join(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { readonly version: string };

describe("agent-worker without a command", () => {
  it("[cli.help] lists every command, however it is asked", async () => {
    using folder = commandFolder();
    const answers = await Promise.all([["--help"], ["-h"], ["help"], []].map((args) => folder.run(args)));
    const [first] = answers;
    expect(first).toMatchObject({ exit: 0, err: "" });
    for (const answer of answers) expect(answer).toEqual(first);
    for (const { name, summary } of commandTable) {
      expect(first?.out).toMatch(new RegExp(`^  ${name} +${summary.replace(/[.?]/g, "\\$&")}$`, "m"));
    }
  });

  it("says its version", async () => {
    using folder = commandFolder();
    const expected = { exit: 0, out: `${version}\n`, err: "" };
    expect(await Promise.all([folder.run(["--version"]), folder.run(["-v"])])).toEqual([expected, expected]);
  });

  it("needs nothing but its own two files for that: no library, no project, no other module", async () => {
    using folder = commandFolder();
    const alone = ["bin", "package.json", "src/cli/main.ts", "src/cli/command-table.ts"];
    for (const path of alone) cpSync(join(repository, path), folder.in(path), { recursive: true });
    const command = folder.in("bin/agent-worker.js");
    expect(await folder.run(["--version"], { command })).toEqual({ exit: 0, out: `${version}\n`, err: "" });
    expect(await folder.run(["--help"], { command })).toEqual(await folder.run(["--help"]));
  });

  it("tells when nobody can read the answer, and not when a reader has seen enough", () => {
    const shell = (line: string) =>
      spawnSync("bash", ["-c", `set -o pipefail; ${line}`, process.execPath, join(repository, "bin/agent-worker.js")], {
        encoding: "utf8",
      });
    expect(shell(`"$0" "$1" --help > /dev/full`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("ENOSPC"),
    });
    expect(shell(`"$0" "$1" call > /dev/full`)).toMatchObject({ status: 1, stderr: expect.stringContaining("ENOSPC") });
    expect(shell(`"$0" "$1" call | true`)).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("a command", () => {
  it.each(commandTable.map(({ name }) => name))("[cli.help] %s explains itself with an example", async (name) => {
    using folder = commandFolder();
    const { exit, out, err } = await folder.run([name, "--help"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toMatch(new RegExp(`^Usage: agent-worker ${name}\\b`, "m"));
    expect(out).toMatch(new RegExp(`^Example:\\n  (.*\\| )?agent-worker ${name}\\b`, "m"));
  });

  it("[cli.help] [cli.errors] that is mistyped is answered with the one that was meant", async () => {
    using folder = commandFolder();
    expect(await folder.run(["chekc"])).toEqual({
      exit: 2,
      out: "",
      err: expect.stringMatching(/^Error: there is no command "chekc"\.\nDid you mean "check"\? Known commands: .*\n$/),
    });
    expect(await folder.run(["--nothing-like-it"])).toMatchObject({
      exit: 2,
      err: expect.not.stringContaining("mean"),
    });
  });

  it("[cli.errors] with an option it does not know says how it is used", async () => {
    using folder = commandFolder();
    expect(await folder.run(["check", "--bogus"])).toEqual({
      exit: 2,
      out: "",
      err: "Error: Unknown option '--bogus'.\nUsage: agent-worker check [FOLDER] [--project DIR] [--json]\n",
    });
    expect(JSON.parse((await folder.run(["check", "--bogus", "--json"])).out)).toMatchObject({
      error: { code: "invalid", message: "Unknown option '--bogus'." },
    });
  });
});
