import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startInstalled, type RunningCommand } from "../support/daemon/running-command.ts";
import { hasTerminals, startInTerminal } from "../support/daemon/terminal-command.ts";
import { agentFile } from "../support/team/team.ts";

/** What agents did is in the chat, whenever it is opened, and a change is counted the same wherever it is shown. */
const LINES = Array.from({ length: 9 }, (_, at) => `line ${at + 1}`);
const CHANGED = LINES.with(4, "line five");
const LONG = Array.from({ length: 700 }, (_, at) => `row ${at + 1} of a long file`);
const WRITER = "tools: [write_file, bash]\npermissions: { mode: project, ask: [write_file], allow: [bash] }\n";
const call = (tool: string, args: object): string => `    - call: { tool: ${tool}, args: ${JSON.stringify(args)} }\n`;
const write = (path: string, lines: readonly string[]): string =>
  call("write_file", { path, content: `${lines.join("\n")}\n` });

const FILES = {
  ...agentFile("asks", `model: asks.yaml\n${WRITER}`),
  "asks.yaml": `- repeat: true\n  steps:\n${write("list.txt", CHANGED)}    - say: I changed list.txt.\n`,
  ...agentFile("long", "model: long.yaml\ntools: [write_file, bash]\npermissions: { mode: project }\n"),
  "long.yaml": `- repeat: true\n  steps:\n${call("bash", { command: "echo first" })}${write("long.txt", LONG)}${call("bash", { command: "cat nothing.txt" })}    - say: All is written.\n`,
  "list.txt": `${LINES.join("\n")}\n`,
};
const PATIENT = { timeout: 60_000 };

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: FILES });
});
afterAll(async () => daemon[Symbol.asyncDispose]());

const chatWith = (name: string): RunningCommand =>
  startInstalled(["chat", name, "--plain"], { cwd: daemon.project, env: daemon.env, input: "pipe" });
/** The lines of tool calls that a chat printed. */
const calls = (out: string): string[] => out.split("\n").filter((line) => /^ {2}[✓✗…–] /.test(line));

describe("the tool calls of a chat", () => {
  it("are there when it is opened again, the same as before [terminal.calls]", PATIENT, async () => {
    await using first = chatWith("long");
    await first.next(/^In long:$/);
    first.type("please write\n");
    await first.next(/^ {2}All is written\.$/);
    first.type("and again\n");
    await first.next(/^ {2}All is written\.$/);
    first.type("/quit\n");
    const seen = await first.ended;
    const once = [
      "  ✓ long: bash $ echo first",
      "  ✓ long: write_file long.txt +700 -0",
      "  ✗ long: bash $ cat nothing.txt",
    ];
    const twice = [
      "  ✓ long: bash $ echo first",
      "  ✓ long: write_file long.txt +0 -0",
      "  ✗ long: bash $ cat nothing.txt",
    ];
    expect(calls(seen.out)).toEqual([...once, ...twice]);

    await using second = chatWith("long");
    await second.next(/^In long:$/);
    await second.next(/^ {2}All is written\.$/);
    await second.next(/^ {2}All is written\.$/);
    second.type("/quit\n");
    const { out } = await second.ended;
    expect(calls(out)).toEqual(calls(seen.out));
    expect(out).toMatch(
      /please write\n[^]*\+700 -0[^]*All is written\.\n[^]*and again\n[^]*\+0 -0[^]*All is written\./,
    );
  });

  it("are counted the same while an agent works, when it asks, and afterwards [terminal.calls]", PATIENT, async () => {
    await using chat = chatWith("asks");
    await chat.next(/^In asks:$/);
    chat.type("please change it\n");
    await chat.next(/^┃ write_file list\.txt \+1 -1$/);
    const [, id = ""] = /\/approve (\w+)/.exec(await chat.next(/^To decide, type/)) ?? [];
    chat.type(`/approve ${id}\n`);
    await chat.next(/^ {2}I changed list\.txt\.$/);
    chat.type("/quit\n");
    expect(calls((await chat.ended).out)).toEqual(["  ✓ asks: write_file list.txt +1 -1"]);

    await using again = chatWith("asks");
    await again.next(/^ {2}I changed list\.txt\.$/);
    again.type("/quit\n");
    expect(calls((await again.ended).out)).toEqual(["  ✓ asks: write_file list.txt +1 -1"]);
  });

  it.runIf(hasTerminals)("are counted the same by run and in its question [terminal.calls]", PATIENT, async () => {
    daemon.write("list.txt", `${LINES.join("\n")}\n`);
    const run = startInTerminal(["run", "asks", "once more"], { cwd: daemon.project, env: daemon.env });
    await vi.waitFor(() => expect(run.shown()).toContain("[l] later"), { timeout: 20_000 });
    run.press("y");
    const { shown } = await run.ended;
    expect(shown.match(/write_file[^\n]*list\.txt \+\d+ -\d+/g)?.map((line) => line.slice(-5))).toEqual([
      "+1 -1",
      "+1 -1",
    ]);
  });
});
