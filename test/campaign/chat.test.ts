import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestDaemon, type TestDaemon } from "../support/daemon/daemon.ts";
import { PIXEL } from "../support/team/image-project.ts";
import { agentFile, workflowFile } from "../support/team/team.ts";
import { answer } from "../support/terminal/answer.ts";
import { COMMAND, openPty, terminalInstalled, type PtyScreen } from "../support/terminal/pty-screen.ts";

/** The chat in a real pseudo-terminal, read from the screen of a terminal emulator. */
const FILES = {
  ...agentFile("ann", "model: ann.yaml\n"),
  ...agentFile("careful", "model: careful.yaml\ntools: [bash]\npermissions: { mode: host }\n"),
  ...agentFile("broken", "model: broken.yaml\n"),
  ...agentFile("voter", "model: voter.yaml\n"),
  ...agentFile("clerk", "model: clerk.yaml\n"),
  "ann.yaml": [
    "- when: slowly",
    "  repeat: true",
    "  steps:",
    "    - say: |-",
    "        # A plan",
    "",
    "        - first **this**",
    "        - then 漢字 that",
    "",
    "        ```diff",
    "        -old",
    "        +new",
    "        ```",
    "      pace: 15ms",
    "- repeat: true",
    "  steps:",
    "    - call: { tool: todo_add, args: { text: look again } }",
    "    - say: I heard you.",
    "",
  ].join("\n"),
  "careful.yaml":
    "- repeat: true\n  steps:\n    - call: { tool: bash, args: { command: printf hello } }\n    - say: Done it.\n",
  "broken.yaml":
    "- repeat: true\n  steps:\n    - fail: permanent\n      message: The line is dead.\n      times: 1\n    - say: Now it works.\n",
  "voter.yaml": [
    "- when: decide",
    "  steps:",
    "    - call: { tool: proposal_create, args: { type: decision, title: Tabs or spaces, options: [tabs, spaces], voters: [user] } }",
    "    - say: Please vote.",
    "- repeat: true",
    '  steps:\n    - say: ""',
    "",
  ].join("\n"),
  "clerk.yaml": [
    "- when: suggest",
    "  steps:",
    '    - call: { tool: team_doc_suggest, args: { content: "one\\n2\\nthree\\n", note: a figure } }',
    "    - say: I suggested it.",
    "- repeat: true",
    '  steps:\n    - say: ""',
    "",
  ].join("\n"),
  ...workflowFile("team", "agents:\n  voter: { ref: voter }\n  clerk: { ref: clerk }\n  ann: { ref: ann }\n"),
};

describe.skipIf(!terminalInstalled)("the chat in a pseudo-terminal", () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon({ files: FILES });
  }, 60_000);
  afterAll(async () => daemon[Symbol.asyncDispose]());

  const env = (): Record<string, string> => ({ ...daemon.env, AGENT_WORKER_TRUST: "1" });
  const chat = (args: readonly string[] = [], more: object = {}): PtyScreen =>
    openPty([COMMAND, "chat", ...args], { cwd: daemon.project, env: env(), ...more });
  const quit = (screen: PtyScreen): Promise<number> => {
    screen.press("\u0004");
    return screen.ended;
  };

  it("shows words as they come, Markdown and calls, at 80 by 24 [terminal.chat]", { timeout: 120_000 }, async () => {
    await using screen = chat(["ann"]);
    await screen.shows("Nobody is at work.");
    screen.press("please slowly\r");
    await screen.shows(/ann works on "please slowly", \d+ s/);
    await screen.shows("A plan");
    await screen.shows("│ +new");
    await screen.shows("• then 漢字 that");
    screen.press("and again\r");
    await screen.shows("I heard you.");
    await screen.shows("✓ ann: todo_add text: look again");
    await screen.shows("Nobody is at work.");
    expect(screen.rows()).toHaveLength(24);
    expect(await quit(screen)).toBe(0);
  });

  it("decides in place, with y, n, numbers and commands [terminal.decide]", { timeout: 180_000 }, async () => {
    await using screen = chat(["careful"]);
    await screen.shows("Nobody is at work.");
    screen.press("do it\r");
    await screen.shows("$ printf hello");
    await screen.shows("y yes · n no · r until this run ends · a always · then Enter · Esc later");
    await answer(screen, "y", "You allowed careful to call bash.");
    await screen.shows("Done it.");
    screen.press("once more\r");
    await screen.shows(/y yes · n no/);
    await answer(screen, "a", "Always: .agents/careful.yaml gets a rule.");
    await screen.shows(/┃ \+ .*printf hello/);
    await answer(screen, "y", "From now on too: its file has the rule.");
    screen.press("third time\r");
    await screen.shows(/third time[^]*✓ careful: bash \$ printf hello[^]*Done it\./);
    expect(screen.text().split("third time")[1]).not.toContain("wants to run");
    expect(await quit(screen)).toBe(0);
  });

  it("leads on from a finished workspace, with one key [terminal.finished]", { timeout: 120_000 }, async () => {
    await using run = openPty([COMMAND, "run", "team", "@ann hello"], { cwd: daemon.project, env: env() });
    expect(await run.ended).toBe(0);
    await using screen = chat(["@team"]);
    await screen.shows("@team is finished. /start TEXT goes on in it, and /start begins it anew.");
    screen.press("@ann and now?\r");
    await screen.shows("> /start @ann and now?");
    await screen.shows("@team is finished: Enter goes on in it with this.");
    screen.press("\r");
    await screen.shows(/@ann and now\?[^]*I heard you\./);
    await screen.showsNot("@team is finished");
    await daemon.client.call("close-workspace", { target: "@team" });
    await screen.shows("@team is finished.");
    expect(await quit(screen)).toBe(0);
  });

  it(
    "shows dead letters, ballots and suggestions where they belong [terminal.decide]",
    { timeout: 180_000 },
    async () => {
      await daemon.client.call("open-workspace", { workflow: "team" });
      await daemon.client.call("write-document", { target: "@team", file: "notes.md", content: "one\ntwo\nthree\n" });
      await daemon.client.call("set-document-owner", { target: "@team", owner: "voter" });
      await using screen = chat(["@team", "broken"], { rows: 40 });
      await screen.shows("Nobody is at work.");
      screen.press("@voter please decide\r");
      await screen.shows("asks you to vote: Tabs or spaces");
      await screen.shows("1 tabs · 2 spaces · then Enter · Esc later");
      await answer(screen, "2", "You voted for spaces: Tabs or spaces");
      screen.press("@clerk please suggest\r");
      await screen.shows("clerk suggests to change");
      await screen.shows("- two");
      await screen.shows("+ 2");
      await screen.shows("y write it · n reject it");
      await answer(screen, "y", "You accepted the change");
      screen.press("\u001b2");
      await screen.shows("broken yet");
      screen.press("hello?\r");
      await screen.shows("Could not be answered by broken");
      await screen.shows("y deliver it again");
      await answer(screen, "n", "It is given up");
      expect(await quit(screen)).toBe(0);
    },
  );

  it(
    "opens panes side by side, searches, completes and shows help [terminal.chat] [terminal.scroll]",
    { timeout: 120_000 },
    async () => {
      await using screen = chat(["ann", "careful"], { columns: 120 });
      await screen.shows("Nobody is at work.");
      screen.press("\u0014");
      await screen.shows(/careful.*│|│.*careful/);
      screen.press("\u0014\u0006");
      await screen.shows("search:");
      screen.press("heard you\r");
      await screen.shows(/1 of \d+ with "heard you"/);
      screen.press("\u001b");
      await screen.showsNot("1 of ");
      screen.press("/mod\t");
      await screen.shows("> /model");
      screen.press("\r");
      await screen.shows("ann uses ann.yaml");
      screen.press("/model careful ann.yaml\r");
      await screen.shows("careful uses ann.yaml from now on, as .agents/careful.yaml says.");
      screen.press("/model careful careful.yaml\r");
      await screen.shows("careful uses careful.yaml from now on");
      screen.press("/model nobody ann.yaml\r");
      await screen.shows('There is no agent called "nobody"');
      screen.press("/model a b c\r");
      await screen.shows("A model is one word");
      screen.press("/help\r");
      await screen.shows("Ctrl-P, Ctrl-N");
      screen.press("\u001b");
      await screen.showsNot("Ctrl-P, Ctrl-N");
      expect(await quit(screen)).toBe(0);
    },
  );

  it("sends files by path, and says what a picture is to agents [terminal.input]", { timeout: 120_000 }, async () => {
    writeFileSync(join(daemon.project, "shot.png"), Buffer.from(PIXEL, "base64"));
    await using screen = chat(["ann"]);
    await screen.shows("Nobody is at work.");
    screen.press("look @sho");
    await screen.shows("@shot.png");
    screen.press("\t please\r");
    await screen.shows("Sent with shot.png (image/png, 70 bytes).");
    await screen.shows("ann does not see the image");
    expect(await quit(screen)).toBe(0);
  });

  it(
    "survives a change of size and has no colours under NO_COLOR [terminal.survives]",
    { timeout: 120_000 },
    async () => {
      await using screen = openPty([COMMAND, "chat", "ann"], { cwd: daemon.project, env: { ...env(), NO_COLOR: "1" } });
      await screen.shows("Nobody is at work.");
      for (const [columns, rows] of [
        [40, 12],
        [132, 50],
        [20, 6],
        [80, 24],
      ] as const) {
        screen.resize(columns, rows);
        await screen.shows(/^> *$/m);
        await screen.shows("agent-worker");
      }
      screen.press("still here\r");
      await screen.shows("still here");
      await screen.shows("Nobody is at work.");
      expect(await quit(screen)).toBe(0);
      expect(screen.written()).not.toMatch(/\[(?:3[1-7]|9\d)m/);
    },
  );

  it("writes only rows that change, and clears nothing [terminal.frames]", { timeout: 120_000 }, async () => {
    await using screen = chat(["ann"]);
    await screen.shows("Nobody is at work.");
    screen.press("slowly please\r");
    await screen.shows(/slowly please[^]*│ \+new/);
    await screen.shows("Nobody is at work.");
    screen.press("some words\u0015");
    expect(await quit(screen)).toBe(0);
    const frames = screen
      .written()
      .split("\u001b[?2026h")
      .slice(1)
      .map((frame) => frame.split("\u001b[?2026l")[0] ?? "");
    expect(frames.length).toBeGreaterThan(4);
    const shown = new Map<string, string>();
    for (const frame of frames) {
      expect(frame).not.toContain("\u001b[2J");
      for (const [, row = "", text = ""] of frame.matchAll(ROW)) {
        expect(shown.get(row), `row ${row} is written again as it was`).not.toBe(text);
        shown.set(row, text);
      }
    }
  });

  it(
    "says that the daemon is gone, and starts it with the next message [terminal.survives]",
    { timeout: 180_000 },
    async () => {
      await using screen = chat(["ann"]);
      await screen.shows("Nobody is at work.");
      await daemon.stop("SIGKILL");
      await screen.shows("The daemon is gone");
      screen.press("are you there\r");
      await screen.shows(/are you there[^]*I heard you\./);
      await screen.shows("Nobody is at work.");
      expect(await quit(screen)).toBe(0);
      const stop = openPty([COMMAND, "daemon", "stop"], { cwd: daemon.project, env: env() });
      expect(await stop.ended).toBe(0);
      daemon = await daemon.restart();
    },
  );
});

const ROW = new RegExp(String.raw`\u001b\[(\d+);1H([^]*?)\u001b\[K`, "g");
