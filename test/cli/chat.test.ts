import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startInstalled } from "../support/daemon/running-command.ts";
import { hasTerminals, startInTerminal, type TerminalCommand } from "../support/daemon/terminal-command.ts";
import { agentFile, workflowFile } from "../support/team/team.ts";

const FILES = {
  ...agentFile("ann"),
  ...agentFile("careful", "model: careful.yaml\ntools: [bash]\npermissions: { ask: ['bash(printf *)'] }\n"),
  ...agentFile("sleeper", "model: sleep.yaml\n"),
  "careful.yaml":
    "- repeat: true\n  steps:\n    - call: { tool: bash, args: { command: printf hello } }\n    - say: Done it.\n",
  "sleep.yaml": '- repeat: true\n  steps:\n    - delay: 1h\n    - say: ""\n',
  ...workflowFile("desk", 'agents:\n  ann: { ref: ann }\nkickoff: "@ann hello"\n'),
};

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: FILES });
});
afterAll(async () => daemon[Symbol.asyncDispose]());

const inTerminal = (...args: string[]): TerminalCommand =>
  startInTerminal(args, { cwd: daemon.project, env: { ...daemon.env, AGENT_WORKER_TRUST: "1" } });
const STYLES = new RegExp(String.raw`\u001b\[[\d;?]*[a-zA-Z]`, "g");
/** Text without what moves the cursor or changes colours. */
const textOf = (shown: string): string => shown.replaceAll(STYLES, "");
const until = (command: TerminalCommand, text: string): Promise<void> =>
  vi.waitFor(() => expect(textOf(command.shown())).toContain(text), { timeout: 20_000, interval: 20 });

describe("agent-worker chat --plain", () => {
  it(
    "prints what is said, sends what is typed, and decides [terminal.plain] [terminal.decide]",
    { timeout: 60_000 },
    async () => {
      await using chat = startInstalled(["chat", "careful", "--plain"], {
        cwd: daemon.project,
        env: daemon.env,
        input: "pipe",
      });
      await chat.line(/^In careful:$/);
      chat.type("please do it\n");
      await chat.line(/^ {2}please do it$/);
      await chat.line(/^┃ \$ printf hello$/);
      const [, id = ""] = /\/approve (\w+)/.exec(await chat.line(/^To decide, type/)) ?? [];
      chat.type(`/approve ${id}\n`);
      await chat.line(/^You allowed careful to call bash\.$/);
      await chat.line(/^ {2}Done it\.$/);
      chat.type("/quit\n");
      expect(await chat.ended).toMatchObject({ exit: 0, err: "" });
    },
  );

  it("sends a file that is named by its path [terminal.input]", { timeout: 60_000 }, async () => {
    writeFileSync(join(daemon.project, "report.txt"), "All is well.");
    await using chat = startInstalled(["chat", "ann", "--plain"], {
      cwd: daemon.project,
      env: daemon.env,
      input: "pipe",
    });
    await chat.line(/^In ann:$/);
    chat.type("look at @report.txt please\n");
    await chat.line(/^Sent with report\.txt\.$/);
    await chat.line(/\[resource:\w+\] report\.txt \(text\/plain, 12 bytes\)/);
    chat.type("/quit\n");
    expect((await chat.ended).exit).toBe(0);
  });

  it("refuses a name that is none, and needs a terminal otherwise [cli.errors]", async () => {
    expect(await daemon.run(["chat", "nobody", "--plain"])).toMatchObject({
      exit: 3,
      err: expect.stringContaining("ann"),
    });
    expect(await daemon.run(["chat"])).toMatchObject({ exit: 2, err: expect.stringContaining("--plain") });
  });

  it("is not opened by the command alone where there is no terminal [terminal.chat]", async () => {
    expect(await daemon.run([])).toMatchObject({
      exit: 0,
      out: expect.stringContaining("Usage: agent-worker COMMAND"),
    });
  });
});

describe.runIf(hasTerminals)("at a terminal", () => {
  it("the command alone opens the chat in a project [terminal.chat]", { timeout: 60_000 }, async () => {
    const chat = inTerminal();
    await until(chat, "Nobody is at work.");
    chat.press("good morning\r");
    await until(chat, "I have read");
    chat.press("\u0004");
    const { exit, shown } = await chat.ended;
    expect(exit).toBe(0);
    expect(shown.indexOf("\u001b[?1049h")).toBeLessThan(shown.indexOf("\u001b[?1049l"));
  });

  it("run asks in place and ends with a summary [terminal.summary]", { timeout: 60_000 }, async () => {
    const run = inTerminal("run", "careful", "do it");
    await until(run, "[l] later");
    expect(textOf(run.shown())).toContain("$ printf hello");
    run.press("y");
    const { exit, shown } = await run.ended;
    expect(exit).toBe(0);
    expect(textOf(shown)).toMatch(
      /You allowed careful to call bash\.[^]*Done it\.[^]*Answered in [\d.]+ s\. [^]*careful\.\r\n/,
    );
    expect(textOf(shown)).toContain("Go on with: agent-worker chat careful");
  });

  it(
    "send --wait shows the words and the summary once, and with --quiet only the answer [terminal.summary]",
    { timeout: 60_000 },
    async () => {
      const { shown } = await inTerminal("send", "ann", "tell me", "--wait").ended;
      expect(textOf(shown).match(/I have read/g)).toHaveLength(1);
      expect(textOf(shown)).toMatch(/Answered in [\d.]+ s/);
      const quiet = await inTerminal("send", "ann", "tell me more", "--wait", "--quiet").ended;
      expect(textOf(quiet.shown)).toMatch(/^ann +I have read/);
      expect(textOf(quiet.shown)).not.toContain("Answered in");
      const piped = await daemon.run(["run", "ann", "tell me"]);
      expect(piped.err).toBe("");
      expect(piped.out).not.toContain("Answered in");
    },
  );

  it(
    "Ctrl-C says how to follow and stop, and a second one stops [terminal.interrupt]",
    { timeout: 60_000 },
    async () => {
      const run = inTerminal("run", "sleeper", "rest");
      await until(run, "rest");
      await vi.waitFor(
        async () => {
          const { agents } = (await daemon.json(["ls", "sleeper"])) as { agents: { state: string }[] };
          expect(agents[0]?.state).toBe("running");
        },
        { timeout: 20_000 },
      );
      run.press("\u0003");
      await until(run, "Stop it with: agent-worker stop sleeper, or Ctrl-C once more within 4 seconds");
      run.press("\u0003");
      const { exit, shown } = await run.ended;
      expect(exit).toBe(130);
      expect(textOf(shown)).toContain("Follow it with: agent-worker peek sleeper --follow");
      expect(textOf(shown)).toContain("Stopped sleeper.");
    },
  );

  it("top shows who works, and q ends it [terminal.top]", { timeout: 60_000 }, async () => {
    const top = inTerminal("top");
    await until(top, "3 agents");
    await until(top, "WORKS ON");
    top.press("q");
    expect((await top.ended).exit).toBe(0);
  });
});

describe.runIf(hasTerminals)("a long kickoff", () => {
  it("is folded at a terminal, and whole in a pipe [terminal.summary]", { timeout: 60_000 }, async () => {
    const text = `@ann read this\n${Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n")}\nand answer.`;
    const { shown } = await inTerminal("run", "desk", text, "--tag", "long").ended;
    expect(textOf(shown)).toMatch(
      /@ann hello[^]*… \d+ more lines: agent-worker peek @desk:long[^]*line 59[^]*and answer\./,
    );
    expect(textOf(shown)).not.toContain("line 30");
    expect((await daemon.run(["run", "desk", text, "--tag", "longer"])).out).toContain("line 30");
  });
});

describe("looking", () => {
  it("top prints once where there is no terminal [terminal.top]", async () => {
    const { exit, out } = await daemon.run(["top"]);
    expect(exit).toBe(0);
    expect(out).toMatch(/^3 agents · \d+ at work · 0 workspaces/);
    expect(out).toMatch(/^AGENT +STATE +SECONDS/m);
    expect(await daemon.json(["top"])).toMatchObject({ approvals: 0, dead: 0 });
  });

  it("pending and runs show whole calls with --full [terminal.full]", { timeout: 60_000 }, async () => {
    await daemon.run(["send", "careful", "once more"]);
    await vi.waitFor(
      async () => expect((await daemon.run(["pending", "--full"])).out).toContain("  $ printf hello\n"),
      { timeout: 20_000 },
    );
    const { approvals } = (await daemon.json(["pending"])) as { approvals: { id: string; run: string }[] };
    await daemon.run(["approve", approvals[0]?.id ?? ""]);
    await vi.waitFor(async () => expect((await daemon.run(["pending"])).out).toContain("Nothing waits"), {
      timeout: 20_000,
    });
    await vi.waitFor(
      async () => {
        const { out } = await daemon.run(["runs", "show", approvals[0]?.run ?? "", "--full"]);
        expect(out).toMatch(/ {4}bash\n {4}\$ printf hello\n {6}hello\n/);
      },
      { timeout: 20_000 },
    );
  });

  it("completion offers names of the project, by place [terminal.names]", { timeout: 60_000 }, async () => {
    const after = async (...words: string[]): Promise<string[]> =>
      (await daemon.run(["completion", "names", "--", ...words])).out.split("\n").filter((each) => each !== "");
    expect(await after("send")).toEqual(["ann", "careful", "sleeper"]);
    expect(await after("send", "ann")).toEqual([]);
    expect(await after("run")).toEqual(["desk", "ann", "careful", "sleeper"]);
    expect(await after("agent", "memory")).toEqual(["ann", "careful", "sleeper"]);
    expect((await after("runs", "show")).every((id) => id.startsWith("run_"))).toBe(true);
    const nowhere = await daemon.run(["completion", "names", "--", "send"], {
      env: { AGENT_WORKER_HOME: "/nowhere/at/all" },
    });
    expect(nowhere).toMatchObject({ exit: 0, out: "ann\ncareful\nsleeper\n" });
  });
});
