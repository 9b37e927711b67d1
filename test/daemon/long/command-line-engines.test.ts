import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { startTestDaemon, type TestDaemon } from "../../support/daemon/daemon.ts";
import { runInstalled } from "../../support/daemon/installed-command.ts";
import { startInstalled } from "../../support/daemon/running-command.ts";
import { claudeDeeds, installStandInClaude } from "../../support/engine/claude-rig.ts";
import type { ClaudeMove } from "../../support/engine/stand-in-claude.ts";
import { processesWith } from "../../support/process/processes-with.ts";
import { value } from "../../support/result.ts";
import { eventually } from "../../support/team/running-project.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A daemon whose agent alice runs on a `claude` that plays these moves. */
async function startWith(moves: readonly ClaudeMove[]) {
  const folder = temporaryFolder();
  const script = folder.in("moves.json");
  writeFileSync(script, JSON.stringify(moves));
  const daemon = await startTestDaemon({
    files: {
      ".agents/alice.yaml": `name: alice\nbackend: claude\nprompt: { system: You work. }\nenv: { STAND_IN: ${script} }\n`,
    },
    env: { PATH: installStandInClaude(folder.path) },
  });
  return {
    daemon,
    deeds: () => claudeDeeds(script),
    processes: () => processesWith(folder.path),
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

async function said(daemon: TestDaemon): Promise<string[]> {
  const { messages } = value(await daemon.client.call("peek-channel", { target: "alice", limit: 50 }));
  return messages.map(({ from, content }) => `${from}: ${content}`);
}

async function send(daemon: TestDaemon, message: string): Promise<void> {
  value(await daemon.client.call("send-message", { to: "alice", message }));
}

async function waiting(daemon: TestDaemon): Promise<string> {
  let id: string | undefined;
  await eventually("a call waits for approval", async () => {
    id = value(await daemon.client.call("list-approvals", {})).approvals[0]?.id;
    return id !== undefined;
  });
  return id ?? "";
}

/** What a step used is kept together with it. */
async function hasFinishedStep(daemon: TestDaemon): Promise<boolean> {
  const { agents } = value(await daemon.client.call("show-usage", {}));
  return agents.some(({ agent }) => agent === "alice");
}

const make: ClaudeMove = { use: { tool: "Bash", input: { command: "make" } } };

describe("an agent on a command line", () => {
  it("waits for a person over the end of a daemon, and makes the call once it is approved [approval.asked] [approval.approve] [approval.survives]", async () => {
    await using rig = await startWith([make, make, { say: "It is made." }]);
    await send(rig.daemon, "Please make it.");
    const id = await waiting(rig.daemon);
    expect(await said(rig.daemon)).toEqual([
      "user: Please make it.",
      `system: alice wants to run Bash: "make"\nApprove with: agent-worker approve ${id}\nRefuse with: agent-worker deny ${id}`,
    ]);
    await eventually("the step is kept", () => hasFinishedStep(rig.daemon));
    expect(rig.processes()).toEqual([]);
    await rig.daemon.stop("SIGKILL");
    await using daemon = await rig.daemon.restart();
    expect(rig.deeds().filter((deed) => deed.did !== undefined)).toEqual([]);
    value(await daemon.client.call("approve", { id }));
    await eventually("it is answered", async () => (await said(daemon)).includes("alice: It is made."));
    expect(rig.deeds().filter((deed) => deed.did !== undefined)).toEqual([{ did: { command: "make" } }]);
    expect(value(await daemon.client.call("list-approvals", {})).approvals).toEqual([]);
  });

  it("goes on without a call that a person refuses, and knows why [approval.deny]", async () => {
    await using rig = await startWith([make, { say: "Then not." }]);
    const { daemon } = rig;
    const where = { cwd: daemon.project, env: daemon.env };
    await using sent = startInstalled(["send", "alice", "Please make it.", "--wait"], where);
    const line = await sent.line(/agent-worker deny/, "err");
    const id = /apr_\w+/.exec(line)?.[0] ?? "";
    expect(await runInstalled(["deny", id, "--reason", "Not on Fridays."], where)).toMatchObject({ exit: 0 });
    expect(await sent.ended).toMatchObject({ exit: 0, out: expect.stringContaining("Then not.") });
    expect(rig.deeds().at(-1)?.prompt).toContain("Not on Fridays.");
  });

  it("tells whoever follows its work that it waits for them [approval.asked]", async () => {
    await using rig = await startWith([make, make, { say: "It is made." }]);
    const { daemon } = rig;
    await using command = startInstalled(["run", "alice", "Please make it."], { cwd: daemon.project, env: daemon.env });
    const line = await command.line(/agent-worker approve/);
    value(await daemon.client.call("approve", { id: /apr_\w+/.exec(line)?.[0] ?? "" }));
    expect(await command.ended).toMatchObject({ exit: 0, out: expect.stringContaining("It is made.") });
    expect(rig.deeds().filter((deed) => deed.did !== undefined)).toHaveLength(1);
  });

  it("leaves no process when the daemon is killed during its turn, and answers once after it [engine.abort]", async () => {
    const greet: ClaudeMove = { call: { tool: "channel_send", args: { message: "I am at it." } } };
    await using rig = await startWith([greet, { hang: true }, greet, { say: "Done." }]);
    await send(rig.daemon, "Please do it.");
    await eventually("it is in its turn", () => rig.deeds().some(({ did }) => did === "hang"));
    expect(await said(rig.daemon)).toContain("alice: I am at it.");
    expect(rig.processes().length).toBeGreaterThan(0);
    await rig.daemon.stop("SIGKILL");
    await eventually("the program is gone", () => rig.processes().length === 0);
    await using daemon = await rig.daemon.restart();
    await eventually("it is dealt with", async () => {
      const { deliveries } = value(await daemon.client.call("list-deliveries", { target: "alice" }));
      return deliveries.length === 0;
    });
    // Who has spoken in a run has answered: its last words are not said as well.
    expect(await said(daemon)).toEqual(["user: Please do it.", "alice: I am at it."]);
    expect(rig.deeds().filter(({ prompt }) => prompt !== undefined)).toHaveLength(2);
  });
});
