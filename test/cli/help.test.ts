import { spawnSync } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseArguments } from "../../src/cli/arguments/parse-arguments.ts";
import { COMMAND_NAMES } from "../../src/cli/command-names.ts";
import { commandTable } from "../../src/cli/command-table.ts";
import { isGroup, type Command, type CommandEntry } from "../../src/cli/command.ts";
import { helpText } from "../../src/cli/output/help-text.ts";
import { commandFolder } from "../support/daemon/installed-command.ts";

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

  it("has the same names in its table as in the list for hints", () => {
    expect(commandTable.map(({ name }) => name)).toEqual(COMMAND_NAMES);
  });

  it("says its version", async () => {
    using folder = commandFolder();
    const [long, short] = await Promise.all([folder.run(["--version"]), folder.run(["-v"])]);
    expect(long).toMatchObject({ exit: 0, err: "" });
    expect(long.out).toMatch(new RegExp(`^${version.replaceAll(".", "\\.")} \\([0-9a-f]{8}\\)\\n$`));
    expect(short).toEqual(long);
  });

  it("[begin.words] shows guides, and leads from a name to the command that takes it", async () => {
    using folder = commandFolder({
      ".agents/zoe.yaml": "name: zoe\nbackend: mock\nprompt: { system: Hi. }\n",
      ".workflows/tidy.yaml": "agents: { zoe: zoe }\n",
      ".workflows/duo.yaml": "agents:\n  ida:\n    mode: x\n\n  # second\n  max: { ref: zoe }\nkickoff: hi\n",
    });
    expect(await folder.run(["max"])).toMatchObject({
      exit: 2,
      err: /max takes part in the workflow duo\.\n.*max@duo/,
    });
    expect((await folder.run(["mode"])).err).not.toContain("takes part");
    expect((await folder.run(["version"])).out).toBe((await folder.run(["--version"])).out);
    const topics = JSON.parse((await folder.run(["help", "topics", "--json"])).out) as { topics: { topic: string }[] };
    expect(topics.topics.map(({ topic }) => topic)).toEqual(expect.arrayContaining(["agents", "workflows", "engines"]));
    expect((await folder.run(["help", "workflows"])).out).toMatch(/^Workflows\n/);
    expect((await folder.run(["help", "mcp"])).out).toContain("Usage: agent-worker mcp");
    expect((await folder.run(["help", "topics", "mcp"])).out).toMatch(/^MCP: /);
    expect(await folder.run(["help", "workflow"])).toMatchObject({ exit: 2, err: /Did you mean workflows\?/ });
    expect(await folder.run(["zoe"])).toMatchObject({ exit: 2, err: /zoe is an agent\.\n.*agent-worker \w+ zoe/ });
    expect(await folder.run(["tidy"])).toMatchObject({ exit: 2, err: /a workflow\.\n.*agent-worker run tidy\n/ });
    expect(await folder.run(["@tidy"])).toMatchObject({ exit: 2, err: /a workspace\.\n.*agent-worker peek @tidy\n/ });
    expect(await folder.run(["engines"])).toMatchObject({ exit: 2, err: /agent-worker help engines\n/ });
  });

  it("needs nothing but its own four files for that: no library, no project, no other module", async () => {
    using folder = commandFolder();
    const own = ["cli/main.ts", "cli/command-table.ts", "cli/overview.ts", "client/own-version.ts"].map(
      (path) => `src/${path}`,
    );
    const files = ["bin", "package.json", ...own];
    for (const path of files) cpSync(join(repository, path), folder.in(path), { recursive: true });
    const command = folder.in("bin/agent-worker.js");
    expect(await folder.run(["--version"], { command })).toEqual({ exit: 0, out: `${version}\n`, err: "" });
    const [alone, whole] = [await folder.run(["--help"], { command }), await folder.run(["--help"])];
    expect(alone.out.split("\n").slice(1)).toEqual(whole.out.split("\n").slice(1));
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

/** Every command and every command of a group, by its full name. */
async function allCommands(entries: readonly CommandEntry[], path: readonly string[] = []) {
  const found: { name: string; command: Command }[] = [];
  for (const entry of entries) {
    const loaded = await entry.load();
    const name = [...path, entry.name];
    if (isGroup(loaded)) found.push(...(await allCommands(loaded.entries, name)));
    else found.push({ name: name.join(" "), command: loaded });
  }
  return found;
}

describe("a command", async () => {
  it.each(await allCommands(commandTable))(
    "[cli.help] $name explains itself with an example of its own",
    async ({ name, command }) => {
      const shown = helpText(name, command);
      expect(shown).toMatch(new RegExp(`^Usage: agent-worker ${name}\\b`, "m"));
      expect(shown).toMatch(/^Examples?:\n {2}.*\bagent-worker /m);
      expect(command.about, "an explanation").toMatch(/^[A-Z][^]+[.:)]/);
      for (const example of command.examples) {
        expect(() => parseArguments(argumentsIn(example, name), command), example).not.toThrow();
      }
    },
  );

  it("[cli.help] leads to the guide of the same name, and repeats no word that may be a key", async () => {
    using folder = commandFolder();
    for (const topic of ["chat", "mcp"]) {
      const { out } = await folder.run(["help", topic]);
      expect(out).toContain(`The guide: agent-worker help topics ${topic}\n`);
      expect(await folder.run(["help", "topics", topic])).toMatchObject({ exit: 0, out: /^\S/ });
    }
    const { exit, out, err } = await folder.run(["login", "openai", "sk-abc"]);
    expect({ exit, out }).toEqual({ exit: 2, out: "" });
    expect(err).not.toContain("sk-abc");
    expect(err).toContain("standard input");
  });

  it("[cli.help] shows its help from the command line, also when it is one of a group", async () => {
    using folder = commandFolder();
    const { exit, out, err } = await folder.run(["check", "--help"]);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(out).toContain("Usage: agent-worker check [FOLDER|FILE]\n");
    expect(out).toContain("      --project DIR  Work on the project in this folder\n");
    expect((await folder.run(["agent", "todo", "-h"])).out).toContain("Usage: agent-worker agent todo NAME");
    expect((await folder.run(["help", "agent"])).out).toMatch(/^ {2}create {2}/m);
  });

  it("[cli.help] [cli.errors] that is mistyped is answered with the one that was meant", async () => {
    using folder = commandFolder();
    expect(await folder.run(["chekc"])).toEqual({
      exit: 2,
      out: "",
      err: expect.stringMatching(/^Error: There is no command "chekc"\.\nDid you mean "check"\? Known commands: .*\n/),
    });
    expect(await folder.run(["--nothing-like-it"])).toMatchObject({
      exit: 2,
      err: expect.not.stringContaining("mean"),
    });
    expect(await folder.run(["constructor"])).toMatchObject({ exit: 2 });
  });

  it("[cli.errors] with an option it does not know says which was meant and how it is used", async () => {
    using folder = commandFolder();
    const usage = "Usage: agent-worker check [FOLDER|FILE]";
    expect(await folder.run(["check", "--bogus"])).toEqual({
      exit: 2,
      out: "",
      err: `Error: There is no option --bogus.\nA text that begins with a dash goes after --.\n${usage}\n`,
    });
    expect((await folder.run(["check", "--porject", "x"])).err).toContain("Did you mean --project?");
    expect(JSON.parse((await folder.run(["check", "--bogus", "--json"])).out)).toMatchObject({
      error: { code: "invalid", message: "There is no option --bogus.", hint: expect.stringContaining(usage) },
    });
  });
});

/** What an example gives to the command, as a shell would split it. */
function argumentsIn(example: string, name: string): string[] {
  const [, after = ""] = example.split(`agent-worker ${name}`, 2);
  const words = [...(after.split(/ [|<>] |\)$/)[0] ?? "").matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)];
  return words.map(([, double, single, plain]) => double ?? single ?? plain ?? "");
}
