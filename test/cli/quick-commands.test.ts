import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestDaemon } from "../support/daemon/daemon.ts";
import { runInstalled } from "../support/daemon/installed-command.ts";
import { repository } from "../support/team/planted-project.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A copy of the checkout, so that what is put together from it and changed in it is nobody else's. */
const folder = temporaryFolder();
const COMMAND = folder.in("bin/agent-worker.js");
const COMMANDS = folder.in("node_modules/.cache/agent-worker/commands");
const QUICK = ["ls", "send", "peek", "inbox"];

interface QuickCommands {
  findQuickCommand(command: string): string | undefined;
}

beforeAll(() => {
  for (const name of ["bin", "src", "package.json", "tsconfig.json"]) {
    cpSync(join(repository, name), folder.in(name), { recursive: true, preserveTimestamps: true });
  }
  mkdirSync(folder.in("node_modules"));
  for (const name of readdirSync(join(repository, "node_modules"))) {
    if (name !== ".cache") symlinkSync(join(repository, "node_modules", name), folder.in(`node_modules/${name}`));
  }
  execFileSync(process.execPath, ["bin/quick/bundle-commands.mts"], { cwd: folder.path });
}, 120_000);
afterAll(() => folder[Symbol.dispose]());

function findQuickCommand(command: string): string | undefined {
  const launcher = createRequire(import.meta.url)(folder.in("bin/quick/quick-commands.js")) as QuickCommands;
  return launcher.findQuickCommand(command);
}

/** Files with the code of earlier runs, and the command each is of. */
function keptCode(): string[] {
  return readdirSync(COMMANDS).filter((name) => name.includes(".cjs."));
}
function commandOf(kept: string): string {
  return /\.cjs\.(\w+)-/.exec(kept)?.[1] ?? kept;
}

describe("the commands people type all day", () => {
  it("run from one script, with the answers of the sources [cli.fast]", { timeout: 60_000 }, async () => {
    for (const command of QUICK) expect(findQuickCommand(command), command).toMatch(/\.cjs$/);
    expect(findQuickCommand("run")).toBeUndefined();

    await using daemon = await startTestDaemon({
      files: {
        ".agents/alice.yaml": "name: alice\nbackend: mock\nprompt: { system: You are alice. }\n",
        ".workflows/review.yaml": "name: review\nagents: { alice: { ref: alice } }\n",
      },
    });
    await daemon.client.call("open-workspace", { workflow: "review" });
    const ask = async (args: readonly string[]) => {
      const { exit, out, err } = await runInstalled(args, { cwd: daemon.project, env: daemon.env, command: COMMAND });
      return {
        exit,
        out: out.replaceAll(/#\d+|(msg|dlv)_\w+|\d\d:\d\d(:\d\d(\.\d+)?)?/g, "…"),
        err,
      };
    };
    const asked = [["ls"], ["ls", "--json"], ["ls", "--help"], ["ls", "nobody"], ["send", "@review", "hi"], ["send"]];
    const all = [
      ...asked,
      ["send", "nobody", "hi"],
      ["peek", "@review", "-n", "1"],
      ["inbox", "alice"],
      ["inbox", "--x"],
    ];
    const quick = [];
    for (const args of all) quick.push(await ask(args));
    expect(new Set(quick.map(({ exit }) => exit))).toEqual(new Set([0, 2, 3]));

    // From now on they run with the code that was kept of them, and say the same.
    expect(keptCode().map(commandOf).toSorted()).toEqual(QUICK.toSorted());
    const again = [];
    for (const args of all) again.push(await ask(args));
    expect(again).toEqual(quick);

    // Kept code that is damaged is not run, and is replaced.
    const [kept = ""] = keptCode().filter((name) => commandOf(name) === "ls");
    const whole = readFileSync(join(COMMANDS, kept));
    for (const damaged of [Buffer.alloc(0), Buffer.alloc(whole.length), whole.subarray(0, whole.length / 2)]) {
      writeFileSync(join(COMMANDS, kept), damaged);
      expect(await ask(["ls"])).toEqual(quick[0]);
      expect(statSync(join(COMMANDS, kept)).size).toBeGreaterThan(whole.length / 2);
    }

    // A source that is newer than what was made of it: the file is not used any more.
    const now = new Date();
    utimesSync(folder.in("src/cli/commands/workflow/ls.ts"), now, now);
    expect(QUICK.map(findQuickCommand)).toEqual(QUICK.map(() => undefined));
    const plain = [];
    for (const args of all) plain.push(await ask(args));
    expect(quick).toEqual(plain);
  });

  it("are not run from a file that is damaged or belongs to sources that are gone", () => {
    const made = readFileSync(join(COMMANDS, "bundle.json"), "utf8");
    for (const bundle of ["", "[", made.replace("src/cli/commands/workflow/ls.ts", "src/cli/commands/gone.ts")]) {
      writeFileSync(join(COMMANDS, "bundle.json"), bundle);
      expect(findQuickCommand("ls")).toBeUndefined();
    }
  });

  it("take one byte of memory for each character they are written in", () => {
    for (const bundle of ["commands", "daemon"]) {
      const made = folder.in(`node_modules/.cache/agent-worker/${bundle}`);
      for (const file of readdirSync(made).filter((name) => /\.[cm]js$/.test(name))) {
        expect(
          readFileSync(join(made, file)).findIndex((byte) => byte > 0x7f),
          `${bundle}/${file}`,
        ).toBe(-1);
      }
    }
  });
});
