import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestDaemon, type TestDaemon } from "../support/daemon/daemon.ts";
import { agentFile, workflowFile } from "../support/team/team.ts";
import { answer } from "../support/terminal/answer.ts";
import { COMMAND, openPty, terminalInstalled, type PtyScreen } from "../support/terminal/pty-screen.ts";

/** What a person sees in a real terminal before something is decided, and what the chat says of who works. */
const HOST = "tools: [bash, write_file]\npermissions: { mode: host }\n";
const ROWS = Array.from({ length: 61 }, (_, at) => `row ${at + 1}`).join("\\n");
const FILES = {
  ...agentFile("ann", `model: ann.yaml\n${HOST}`),
  ...agentFile("ben", `model: ben.yaml\n${HOST}`),
  ...agentFile("coder", "model: coder.yaml\n"),
  ...agentFile("reviewer", "model: reviewer.yaml\n"),
  "ann.yaml":
    "- repeat: true\n  steps:\n    - call: { tool: bash, args: { command: touch UNSEEN } }\n    - say: Touched.\n",
  "ben.yaml": `- repeat: true\n  steps:\n    - call: { tool: write_file, args: { path: long.txt, content: "${ROWS}" } }\n    - say: Written.\n`,
  "coder.yaml":
    '- when: LONG\n  repeat: true\n  steps:\n    - delay: 1h\n    - say: ""\n- repeat: true\n  steps:\n    - say: I read it.\n',
  "reviewer.yaml": "- repeat: true\n  steps:\n    - fail: permanent\n      message: The line is dead.\n",
  ...workflowFile("duo", "agents:\n  ann: { ref: ann }\n  ben: { ref: ben }\n"),
};
const PATIENT = { timeout: 180_000 };

describe.skipIf(!terminalInstalled)("decisions in a pseudo-terminal", () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon({ files: FILES });
  }, 60_000);
  afterAll(async () => daemon[Symbol.asyncDispose]());

  const chat = (args: readonly string[], more: object = {}): PtyScreen =>
    openPty([COMMAND, "chat", ...args], {
      cwd: daemon.project,
      env: { ...daemon.env, AGENT_WORKER_TRUST: "1" },
      ...more,
    });
  const made = (file: string): boolean => existsSync(join(daemon.project, file));

  it("an answer is for what is shown whole, and never for another [terminal.decide]", PATIENT, async () => {
    await daemon.client.call("open-workspace", { workflow: "duo" });
    await daemon.client.call("send-message", { to: "@duo", message: "@ben go" });
    await waiting(1);
    await daemon.client.call("send-message", { to: "@duo", message: "@ann go" });
    await waiting(2);
    await using screen = chat(["@duo"]);
    // The oldest is asked, from its beginning; the other is named.
    await screen.shows(/┃ .*row 1$/m);
    await screen.shows(/… \d+ more lines: Enter shows all/);
    await screen.shows(/ben asks to call a tool · after it 1 more/);
    await answer(screen, "y", "Not all of it was on the screen.");
    expect([made("long.txt"), made("UNSEEN")]).toEqual([false, false]);
    for (let page = 0; page < 6; page += 1) screen.press("\u001b[6~");
    await screen.shows("This is its end");
    await screen.shows(/row 61$/m);
    await answer(screen, "y", "You allowed ben to call write_file.");
    await vi.waitFor(() => expect(made("long.txt")).toBe(true), 30_000);
    await screen.shows("┃ $ touch UNSEEN");
    expect(made("UNSEEN")).toBe(false);
    await answer(screen, "y", "You allowed ann to call bash.");
    await vi.waitFor(() => expect(made("UNSEEN")).toBe(true), 30_000);
    screen.press("\u0004");
    expect(await screen.ended).toBe(0);
  });

  it("a message begins with any letter, also where a dead letter waits [terminal.decide]", PATIENT, async () => {
    await daemon.client.call("send-message", { to: "reviewer", message: "please look" });
    await vi.waitFor(async () => expect(await deadLetters()).toBe(1), 60_000);
    await using screen = chat(["coder"], { columns: 40, rows: 12 });
    await screen.shows("Could not be answered by reviewer");
    screen.press("now fix the tests\r");
    await vi.waitFor(async () => expect(await sentToCoder()).toContain("now fix the tests"), 30_000);
    screen.press("y\r");
    await vi.waitFor(async () => expect(await sentToCoder()).toContain("y"), 30_000);
    expect(await deadLetters()).toBe(1);
    screen.press("\u001b");
    await screen.shows("y deliver it again");
    screen.press("n");
    await screen.shows("Enter gives up on this message for");
    expect(await deadLetters()).toBe(1);
    screen.press("\u0015");
    await answer(screen, "n", "It is given up");
    await vi.waitFor(async () => expect(await deadLetters()).toBe(0), 30_000);
    screen.press("\u0004");
    expect(await screen.ended).toBe(0);
  });

  it("who was stopped does not work, and its seconds begin again [terminal.chat]", PATIENT, async () => {
    await using screen = chat(["coder"]);
    await screen.shows("Nobody is at work.");
    screen.press("LONG one\r");
    await screen.shows(/coder works on "LONG one", ([5-9]|\d\d) s/);
    screen.press("/stop\r");
    await screen.shows("Stopped coder.");
    await screen.shows("Nobody is at work.");
    const stopped = await coder();
    expect(stopped).toMatchObject({ state: "stopped" });
    screen.press("LONG two\r");
    await screen.shows(/coder works on/);
    const again = await coder();
    expect(Date.parse(again?.work?.since ?? "")).toBeGreaterThan(Date.parse(stopped?.work?.since ?? ""));
    expect(screen.text()).toMatch(/coder works on "LONG (one|two)", [0-4] s/);
    await daemon.client.stopAgent("coder");
    await screen.shows("Nobody is at work.");
    screen.press("\u0004");
    expect(await screen.ended).toBe(0);
  });

  it("a path with spaces is completed in quotes and sent [terminal.input]", PATIENT, async () => {
    mkdirSync(join(daemon.project, "sub dir"));
    writeFileSync(join(daemon.project, "sub dir/a b.txt"), "All is well.");
    await using screen = chat(["coder"]);
    await screen.shows("Nobody is at work.");
    screen.press("look @sub");
    await screen.shows('@"sub dir/');
    screen.press("\t");
    await screen.shows('@"sub dir/a b.txt"');
    screen.press("\t please\r");
    await screen.shows("Sent with a b.txt.");
    screen.press('and @"sub dir/none.txt"\r');
    await screen.shows('There is no file "sub dir/none.txt". Nothing was sent.');
    await screen.shows('> and @"sub dir/none.txt"');
    screen.press("\u0003\u0004");
    expect(await screen.ended).toBe(0);
  });

  async function waiting(count: number): Promise<void> {
    await vi.waitFor(async () => {
      const listed = await daemon.client.call("list-approvals", {});
      expect(listed.ok ? listed.value.approvals.length : 0).toBe(count);
    }, 60_000);
  }

  async function deadLetters(): Promise<number> {
    const listed = await daemon.client.call("list-dead-letters", {});
    return listed.ok ? listed.value.deliveries.length : -1;
  }

  async function sentToCoder(): Promise<string[]> {
    const page = await daemon.client.call("peek-channel", { target: "coder", limit: 50 });
    return page.ok ? page.value.messages.filter(({ from }) => from === "user").map(({ content }) => content) : [];
  }

  async function coder() {
    const listed = await daemon.client.call("list-agents", {});
    return listed.ok ? listed.value.agents.find(({ name }) => name === "coder") : undefined;
  }
});
