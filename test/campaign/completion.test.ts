import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { agentFile, workflowFile } from "../support/team/team.ts";
import { installedShell } from "../support/terminal/installed-shell.ts";
import { COMMAND, openPty, terminalInstalled, type PtyScreen } from "../support/terminal/pty-screen.ts";

/** The completion scripts in the shells that read them, as a person who presses Tab sees them. */
const FILES = {
  ...agentFile("alice", ""),
  ...agentFile("careful", "model: careful.yaml\ntools: [bash]\npermissions: { ask: ['bash(printf *)'] }\n"),
  "careful.yaml":
    "- repeat: true\n  steps:\n    - call: { tool: bash, args: { command: printf hello } }\n    - say: Done.\n",
  ...workflowFile("review", "agents:\n  alice: { ref: alice }\n  own: { backend: mock, prompt: { system: Help. } }\n"),
};
const TAB = "\t";

describe.skipIf(!terminalInstalled)("Tab in a real shell", () => {
  let daemon: CommandedDaemon;
  let env: Record<string, string> = {};
  let approval = "";

  beforeAll(async () => {
    daemon = await startCommandedDaemon({ files: FILES });
    const bin = join(daemon.home, "bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(COMMAND, join(bin, "agent-worker"));
    symlinkSync(process.execPath, join(bin, "node"));
    env = {
      ...daemon.env,
      HOME: daemon.home,
      PATH: `${bin}:/usr/bin:/bin`,
      LC_ALL: "C.UTF-8",
      PS1: "$ ",
      PROMPT: "$ ",
    };
    await daemon.run(["start", "review", "--tag", "pr-12"]);
    await daemon.run(["send", "careful", "go"]);
    approval = await vi.waitFor(async () => {
      const listed = await daemon.client.call("list-approvals", {});
      const id = listed.ok ? listed.value.approvals[0]?.id : undefined;
      if (id === undefined) throw new Error("nothing waits yet");
      return id;
    }, 20_000);
    for (const shell of ["bash", "zsh", "fish"]) {
      writeFileSync(join(daemon.home, `completion.${shell}`), (await daemon.run(["completion", shell])).out);
    }
  }, 120_000);
  afterAll(() => daemon[Symbol.asyncDispose]());

  /** Types the beginning and Tab on an empty line, and waits until the line is complete. */
  const completes = async (screen: PtyScreen, typed: string, line: string): Promise<void> => {
    screen.press(`\u0015${typed}${TAB}`);
    await screen.shows(new RegExp(`^(?:\\S*[$>%] )${line.replace(/[$.*+?()[\]{}|\\^]/g, String.raw`\$&`)} *$`, "m"));
  };
  const EXPECTED = (): [typed: string, line: string][] => [
    ["agent-worker comple", "agent-worker completion"],
    ["agent-worker send al", "agent-worker send alice"],
    ["agent-worker run rev", "agent-worker run review"],
    ["agent-worker peek @review:p", "agent-worker peek @review:pr-12"],
    ["agent-worker chat @r", "agent-worker chat @review:pr-12"],
    ["agent-worker send own@", "agent-worker send own@review:pr-12"],
    ["agent-worker doc li", "agent-worker doc list"],
    ["agent-worker ls --al", "agent-worker ls --all"],
    [`agent-worker approve ${approval.slice(0, 8)}`, `agent-worker approve ${approval}`],
  ];

  it.each(["bash", "zsh"] as const)(
    "%s completes commands, options, names, tags and ids [terminal.names]",
    { timeout: 180_000 },
    async (shell) => {
      const program = installedShell(shell);
      if (program === undefined) return;
      const args = shell === "bash" ? ["--norc", "--noprofile", "-i"] : ["-f", "-i"];
      await using screen = openPty(args, { program, cwd: daemon.project, env, columns: 120 });
      await screen.shows("$ ");
      const load = shell === "zsh" ? "autoload -Uz compinit; compinit -u -D; " : "";
      screen.press(`${load}source ~/completion.${shell}; echo re''ady\r`);
      await screen.shows(/^ready/m);
      for (const [typed, line] of EXPECTED()) await completes(screen, typed, line);
      expect(screen.text()).not.toMatch(/command not found|bad substitution|parse error/);
      screen.press("\u0015exit\r");
      expect(await screen.ended).toBe(0);
    },
  );

  it("fish completes commands, options, names, tags and ids [terminal.names]", { timeout: 180_000 }, async () => {
    const program = installedShell("fish");
    if (program === undefined) return;
    for (const [typed, line] of EXPECTED()) {
      const asked = `source ~/completion.fish; complete -C '${typed}'`;
      const { stdout, stderr } = spawnSync(program, ["--no-config", "-c", asked], {
        cwd: daemon.project,
        env,
        encoding: "utf8",
      });
      expect({ typed, stderr }).toEqual({ typed, stderr: "" });
      const words = stdout.split("\n").map((offer) => offer.split("\t")[0]);
      expect(words).toContain(line.split(" ").at(-1));
    }
  });
});
