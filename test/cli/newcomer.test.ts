import { mkdirSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { commandFolder, type CommandFolder } from "../support/daemon/installed-command.ts";
import { hasTerminals, startInTerminal } from "../support/daemon/terminal-command.ts";

/** What somebody meets who begins in a folder of their own, and does things in another order than the guide. */
const PATIENT = { timeout: 60_000 };
const WRITER = "name: ann\nbackend: mock\nmodel: ann.yaml\nprompt: { system: Write. }\n";
const SCRIPT =
  '- repeat: true\n  steps:\n    - call: { tool: team_doc_write, args: { file: notes.md, content: "one\\ntwo\\n" } }\n    - say: Written.\n';

function newcomer(files: Readonly<Record<string, string>> = {}) {
  const folder = commandFolder(files);
  mkdirSync(folder.in("home"));
  const env = {
    HOME: folder.in("home"),
    AGENT_WORKER_HOME: folder.in("home/aw"),
    AGENT_WORKER_PORT: "0",
    AGENT_WORKER_TRUST: "",
  };
  const run: CommandFolder["run"] = (args, options = {}) => folder.run(args, { ...options, env });
  return {
    ...folder,
    env,
    run,
    async [Symbol.asyncDispose]() {
      await run(["daemon", "stop"]);
      folder[Symbol.dispose]();
    },
  };
}

describe("a newcomer", () => {
  it(
    "makes a team where work was done before, and it is trusted after a restart, too [begin.stranger]",
    PATIENT,
    async () => {
      await using folder = newcomer();
      expect(await folder.run(["new", "eve", "--backend", "mock"])).toMatchObject({ exit: 0 });
      expect((await folder.run(["send", "eve", "hello", "--wait"])).exit).toBe(0);
      expect((await folder.run(["init", "--team", "review", "--backend", "mock"])).exit).toBe(0);
      expect((await folder.run(["daemon", "restart"])).exit).toBe(0);
      const sent = await folder.run(["send", "reviewer", "hello", "--wait"]);
      expect(sent).toMatchObject({ exit: 0, err: expect.not.stringContaining("database") });
    },
  );

  it("is told to make a team where there is none [begin.stranger]", PATIENT, async () => {
    await using folder = newcomer();
    const ran = await folder.run(["run", "review"]);
    expect(ran).toMatchObject({ exit: 3, err: expect.stringContaining("Make a team with: agent-worker init") });
    expect(ran.err).not.toContain("agent create");
    const sent = await folder.run(["send", "coder", "hello"]);
    expect(sent.err).toContain("Make a team with: agent-worker init");
  });

  it("reads the list of commands at 80 columns, and its end says how to begin [begin.stranger]", async () => {
    await using folder = newcomer();
    const { out } = await folder.run(["help"]);
    expect(out.split("\n").filter(({ length }) => length > 80)).toEqual([]);
    expect(out.trimEnd().split("\n").slice(-3).join("\n")).toMatch(/demo .*\n.*review .*\n.*init /);
  });

  it.runIf(hasTerminals)("reads the help of a command in whole words [begin.words]", PATIENT, async () => {
    await using folder = newcomer();
    const { shown } = await startInTerminal(["ls", "--help"], { cwd: folder.path, env: folder.env }).ended;
    const words = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
    expect(words(shown)).toBe(words((await folder.run(["ls", "--help"])).out));
    expect(shown.split(/\r?\n/).filter(({ length }) => length > 80)).toEqual([]);
  });

  it.runIf(hasTerminals)(
    "is told in an empty chat that nobody is there to write to [begin.stranger]",
    PATIENT,
    async () => {
      await using folder = newcomer();
      const chat = startInTerminal(["chat"], { cwd: folder.path, env: folder.env });
      await vi.waitFor(() => expect(chat.shown()).toContain("There are no agents here yet."), { timeout: 20_000 });
      chat.press("hello\r");
      await vi.waitFor(() => expect(chat.shown()).toContain("agent-worker init makes a team; Ctrl-D leaves."), {
        timeout: 20_000,
      });
      chat.press("\u0004");
      expect((await chat.ended).exit).toBe(0);
    },
  );

  it.runIf(hasTerminals)(
    "sees in the summary a document as a document, with the line that reads it, and not as a file [terminal.summary]",
    PATIENT,
    async () => {
      const workflow = 'name: desk\nagents: { ann: { ref: ann } }\nkickoff: "@ann please write"\n';
      await using folder = newcomer({
        ".agents/ann.yaml": WRITER,
        "ann.yaml": SCRIPT,
        ".workflows/desk.yaml": workflow,
      });
      const { shown } = await startInTerminal(["run", "desk", "--trust"], { cwd: folder.path, env: folder.env }).ended;
      expect(shown).toContain("Document notes.md: agent-worker doc read @desk notes.md");
      expect(shown).not.toContain("Files changed");
      expect((await folder.run(["doc", "read", "@desk", "notes.md"])).out).toBe("one\ntwo\n");
    },
  );
});
