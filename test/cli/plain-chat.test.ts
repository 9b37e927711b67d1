import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCommandedDaemon, type CommandedDaemon } from "../support/daemon/commanded-daemon.ts";
import { startInstalled, type RunningCommand } from "../support/daemon/running-command.ts";
import { agentFile, workflowFile } from "../support/team/team.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The chat as lines that a person types and reads: what waits is answered, and what is finished leads on. */
const FILES = {
  ...agentFile("ann"),
  ...agentFile("eve", "model: eve.yaml\ntools: [bash]\npermissions: { mode: host }\n"),
  "eve.yaml":
    "- repeat: true\n  steps:\n    - call: { tool: bash, args: { command: printf hello } }\n    - say: Eve did it.\n",
  ...workflowFile("desk", 'agents:\n  ann: { ref: ann }\nkickoff: "@ann hello"\n'),
};
const PATIENT = { timeout: 60_000 };

let daemon: CommandedDaemon;
beforeAll(async () => {
  daemon = await startCommandedDaemon({ files: FILES });
});
afterAll(async () => daemon[Symbol.asyncDispose]());

const chatWith = (name: string): RunningCommand =>
  startInstalled(["chat", name, "--plain"], { cwd: daemon.project, env: daemon.env, input: "pipe" });
const fileOfEve = (): string => readFileSync(join(daemon.project, ".agents/eve.yaml"), "utf8");

/** Types an answer until it is taken: a question that came just now is answered when it was there for a moment. */
async function answer(chat: RunningCommand, key: string, done: RegExp): Promise<void> {
  for (;;) {
    chat.type(`${key}\n`);
    const said = await chat.next(new RegExp(`${done.source}|^Press Enter again`));
    if (!said.startsWith("Press Enter again")) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe("agent-worker chat --plain", () => {
  it("takes y, n and a as answers, and shows what always writes first [terminal.plain]", PATIENT, async () => {
    await using chat = chatWith("eve");
    await chat.next(/^In eve:$/);
    chat.type("please do it\n");
    await chat.next(/^To decide, type y yes · n no · r until this run ends · a always; or \/approve apr_/);
    chat.type("\u001b\n");
    await answer(chat, "y", /^You allowed eve to call bash\.$/);
    await chat.next(/^ {2}Eve did it\.$/);
    chat.type("once more\n");
    await chat.next(/^To decide, type/);
    await answer(chat, "a", /^Always: \.agents\/eve\.yaml gets a rule\.$/);
    await chat.next(/^\+ .*printf/);
    expect(fileOfEve()).not.toContain("allow");
    await answer(chat, "y", /^You allowed eve to call bash\. From now on too: its file has the rule\.$/);
    await chat.next(/^ {2}Eve did it\.$/);
    expect(fileOfEve()).toMatch(/allow:[^]*printf/);
    chat.type("third time\n");
    await chat.next(/^ {2}Eve did it\.$/);
    chat.type("/quit\n");
    const { out } = await chat.ended;
    expect(out.match(/asks to call a tool/g)).toHaveLength(2);
    expect(out).not.toMatch(/^ {2}[ya]$/m);
  });

  it("opens a finished workspace, says so, and a message goes on in it [terminal.finished]", PATIENT, async () => {
    expect((await daemon.run(["run", "desk"])).exit).toBe(0);
    await using chat = chatWith("@desk");
    await chat.next(/^@desk is finished\. \/start TEXT goes on in it, and \/start begins it anew\.$/);
    chat.type("@ann one more thing\n");
    await chat.next(/^@desk is finished: Enter goes on in it with this\.$/);
    chat.type("\n");
    await chat.next(/^ {2}@ann one more thing$/);
    await chat.next(/^ {2}I have read the message from user:/);
    expect((await daemon.run(["stop", "@desk"])).exit).toBe(0);
    await chat.next(/^@desk is finished\./);
    chat.type("/start\n");
    await chat.next(/^ {2}@ann hello$/);
    await chat.line(/^@desk begins anew, with ann\.$/);
    chat.type("/quit\n");
    expect((await chat.ended).out.match(/^ {2}@ann hello$/gm)).toHaveLength(2);
    expect((await daemon.run(["stop", "@desk"])).exit).toBe(0);
  });

  it("says how a team of a file outside the project goes on [terminal.finished]", PATIENT, async () => {
    using outside = temporaryFolder();
    const file = join(outside.path, "guests.yaml");
    writeFileSync(
      file,
      'name: guests\nagents: { gus: { backend: mock, prompt: { system: hi } } }\nkickoff: "@gus hello"\n',
    );
    expect((await daemon.run(["run", file, "--trust"])).exit).toBe(0);
    await using chat = chatWith("@guests");
    await chat.next(
      /^@guests is finished, and this project has no workflow of its name\. Go on with: agent-worker start FILE$/,
    );
    chat.type("@gus more\n");
    await chat.next(/^@guests is finished, and this project has no workflow of its name\./);
    chat.type("/quit\n");
    expect((await chat.ended).out).not.toContain("Enter goes on");
  });

  it("refuses a model that is none by what was typed [terminal.model]", PATIENT, async () => {
    const file = join(daemon.project, ".agents/sue.yaml");
    writeFileSync(file, "name: sue\nmodel: anthropic/auto\nprompt: { system: You are sue. }\n");
    await using chat = chatWith("sue");
    await chat.next(/^In sue:$/);
    chat.type("/model nonsense\n");
    const said = await chat.next(/nonsense/);
    expect(said).toContain(
      'The model "nonsense" names no provider. Write provider/model, for example anthropic/nonsense',
    );
    expect(said).not.toContain(".yaml");
    chat.type("/quit\n");
    await chat.ended;
    const edited = await daemon.run(["agent", "edit", "sue", "--model", "wrong/x"]);
    rmSync(file);
    expect(edited).toMatchObject({ exit: 2, err: expect.stringMatching(/^Error: There is no provider "wrong"\./) });
  });

  it("names the mistake of an agent whose file has one [terminal.chat]", async () => {
    const file = join(daemon.project, ".agents/bad.yaml");
    writeFileSync(file, "name: bad\nbackend: mock\n");
    const { exit, err } = await daemon.run(["chat", "bad", "--plain"]);
    rmSync(file);
    expect(exit).not.toBe(0);
    expect(err).toContain(".agents/bad.yaml");
    expect(err).not.toContain("There is no agent");
  });

  it("names files with mistakes, whom it leaves out [terminal.chat]", PATIENT, async () => {
    const file = join(daemon.project, ".agents/bad.yaml");
    writeFileSync(file, "name: bad\nbackend: mock\n");
    await using chat = chatWith("ann");
    await chat.next(/^\.agents\/bad\.yaml:\d+: /);
    const listed = await daemon.run(["ls"]);
    rmSync(file);
    expect(listed.err).toContain(await chat.line(/^\.agents\/bad\.yaml:\d+: /));
    chat.type("/quit\n");
    await chat.ended;
  });

  it("sends a path in quotes along, and says when it is no file [terminal.input]", PATIENT, async () => {
    mkdirSync(join(daemon.project, "sub dir"));
    writeFileSync(join(daemon.project, "sub dir/a b.txt"), "All is well.");
    await using chat = chatWith("ann");
    await chat.next(/^In ann:$/);
    chat.type('look @"sub dir/a b.txt", please\n');
    await chat.line(/^Sent with a b\.txt\.$/);
    chat.type('look @"sub dir/none.txt"\n');
    await chat.line(/^There is no file "sub dir\/none\.txt"\. Nothing was sent\.$/);
    chat.type("/quit\n");
    expect((await chat.ended).out).not.toMatch(/^ {2}look @"sub dir\/none/m);
  });

  it("says that everything is stopped, and a message goes on [terminal.stopped]", PATIENT, async () => {
    expect((await daemon.run(["stop", "--all"])).exit).toBe(0);
    await using chat = chatWith("ann");
    await chat.next(/^All work is stopped, by stop --all\. Your next message or \/start goes on\.$/);
    chat.type("are you there?\n");
    await chat.next(/^ {2}I have read the message from user:/);
    chat.type("/quit\n");
    expect((await chat.ended).exit).toBe(0);
    expect((await daemon.run(["ls"])).err).not.toContain("All work is stopped");
  });
});
