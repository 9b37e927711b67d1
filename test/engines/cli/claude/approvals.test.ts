import { describe, expect, it } from "vitest";
import { endOf, openSession, stepOf } from "../../../../src/testing/engine-steps.ts";
import { recordingTools } from "../../../../src/testing/recording-tools.ts";
import { startClaudeRig } from "../../../support/engine/claude-rig.ts";
import type { ClaudeMove } from "../../../support/engine/stand-in-claude.ts";
import { recordingApprovals } from "../../../support/team/approvals.ts";

const make = (description: string): ClaudeMove => ({ use: { tool: "Bash", input: { command: "make", description } } });
const did = { command: "make", description: "again" };

describe("Claude Code that asks before it acts", () => {
  it("waits for a person, and goes on in another process of ours with what was decided [approval.asked] [approval.approve] [approval.survives]", async () => {
    await using rig = startClaudeRig([make("first"), make("again"), { say: "Made." }]);
    const approvals = recordingApprovals();
    let transcript: string;
    {
      await using session = await openSession(rig, recordingTools(), { approvals });
      const events = await stepOf(session, 1, "Please make it.");
      expect(events.map(({ type }) => type)).toEqual(["tool-call", "end"]);
      expect(endOf(events)).toMatchObject({ finished: false, text: "", waitsFor: "apr_1", usage: { inputTokens: 10 } });
      transcript = endOf(events).transcript;
      const early = endOf(await stepOf(session, 2, null));
      expect(early).toMatchObject({ finished: false, waitsFor: "apr_1", transcript });
    }
    expect(approvals.asked).toMatchObject([{ tool: "Bash", args: { command: "make" } }]);
    approvals.decide({ approved: true });
    await using session = await openSession(rig, recordingTools(), { approvals, transcript });
    const events = await stepOf(session, 2, null);
    expect(events.find(({ type }) => type === "tool-result")).toMatchObject({ content: "done", isError: false });
    expect(endOf(events)).toMatchObject({ finished: true, text: "Made.", waitsFor: null });
    expect(rig.deeds()).toEqual([
      { prompt: "Please make it.", resumed: null },
      { prompt: expect.stringContaining('stopped at: Bash: "make"'), resumed: "stand-in-session" },
      { did },
    ]);
    expect(approvals.asked).toHaveLength(1);
  });

  it("is told why a person refused, and goes on without it [approval.deny]", async () => {
    await using rig = startClaudeRig([make("first"), make("stubborn"), { say: "Then not." }]);
    const approvals = recordingApprovals();
    await using session = await openSession(rig, recordingTools(), { approvals });
    await stepOf(session, 1, "Please make it.");
    approvals.decide({ approved: false, reason: "Not on Fridays." });
    const events = await stepOf(session, 2, null);
    expect(rig.deeds().at(-1)?.prompt).toContain("Not on Fridays.");
    expect(events.find(({ type }) => type === "tool-result")).toMatchObject({
      content: "A person refused this call: Not on Fridays.",
      isError: true,
    });
    expect(endOf(events)).toMatchObject({ finished: true, text: "Then not." });
    expect(rig.deeds().some((deed) => deed.did !== undefined)).toBe(false);
  });

  it("whose session cannot be gone on with is told all of it again", async () => {
    await using rig = startClaudeRig([make("first"), { say: "From the beginning." }]);
    const approvals = recordingApprovals();
    await using first = await openSession(rig, recordingTools(), { approvals, system: "You are Alice." });
    const { transcript } = endOf(await stepOf(first, 1, "Please make it."));
    approvals.decide({ approved: true });
    await using second = await openSession(rig, recordingTools(), { approvals, transcript, system: "You are Bob." });
    await stepOf(second, 2, null);
    expect(rig.deeds().at(-1)).toEqual({
      prompt: expect.stringMatching(/^Please make it\.\n\nA person approved the call/),
      resumed: null,
    });
  });

  it("needs nobody for what a rule allows or denies", async () => {
    const remove: ClaudeMove = { use: { tool: "Bash", input: { command: "rm x" } } };
    await using rig = startClaudeRig([make("again"), remove, { say: "Done." }]);
    const approvals = recordingApprovals();
    const agent = { ...rig.agent, permissions: { allow: ["bash(make)"], deny: ["bash(rm *)"] } };
    await using session = await openSession({ ...rig, agent }, recordingTools(), { approvals });
    const events = await stepOf(session, 1, "Go.");
    expect(events.filter((event) => event.type === "tool-result")).toMatchObject([
      { isError: false },
      { isError: true, content: 'Not allowed: "bash(rm *)" is denied to this agent.' },
    ]);
    expect(rig.deeds().filter((deed) => deed.did !== undefined)).toEqual([{ did }]);
    expect(approvals.asked).toEqual([]);
  });
});
