import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createPermissionBroker } from "../../../src/engines/shared/permission-broker.ts";
import type { ProgramCall } from "../../../src/engines/shared/program-call.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { recordingApprovals, type RecordingApprovals } from "../../support/team/approvals.ts";

const call = (command: string, args: unknown = { command }): ProgramCall => ({
  tool: "Bash",
  args,
  requests: [{ tool: "bash", command }],
  isReadOnly: false,
});
const brokerOf = (
  approvals: RecordingApprovals,
  step: number,
  before: Parameters<typeof createPermissionBroker>[2] = [],
  cwd = "/project",
): ReturnType<typeof createPermissionBroker> =>
  createPermissionBroker(
    {
      approvals,
      cwd,
      personalFolders: { own: null, others: [] },
      agent: { name: "a", prompt: { system: "" }, permissions: { allow: ["bash(ls)"], deny: ["bash(rm *)"] } },
    },
    step,
    before,
  );

describe("what a program is told that asks whether it may", () => {
  it("is what the rules say, and nobody is asked", async () => {
    const approvals = recordingApprovals();
    const { decide, pending } = brokerOf(approvals, 1);
    expect(await decide(call("ls"))).toEqual({ kind: "allow" });
    expect(await decide(call("rm x"))).toMatchObject({ kind: "refuse", reason: expect.stringContaining("bash(rm *)") });
    expect(approvals.asked).toEqual([]);
    expect(pending()).toBeNull();
  });

  it("is that nothing would change, and nobody is asked [approval.asked]", async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.in("a.txt"), "one\ntwo\n");
    const approvals = recordingApprovals();
    const { decide } = brokerOf(approvals, 1, [], folder.path);
    const edit = (tool: string, args: Readonly<Record<string, unknown>>): ProgramCall => ({
      tool,
      args,
      requests: [{ tool: "write_file", path: "a.txt" }],
      isReadOnly: false,
    });
    const same = [
      edit("Write", { file_path: "a.txt", content: "one\ntwo\n" }),
      edit("write", { filePath: folder.in("a.txt"), content: "one\ntwo\n" }),
      edit("Edit", { file_path: "a.txt", old_string: "one", new_string: "one" }),
      edit("edit", { path: "a.txt", edits: [{ oldText: "one", newText: "one" }] }),
    ];
    for (const call of same) {
      expect(await decide(call)).toEqual({ kind: "refuse", reason: expect.stringContaining("nothing would change") });
    }
    expect(approvals.asked).toEqual([]);
    expect(await decide(edit("Write", { file_path: "a.txt", content: "one\n" }))).toEqual({ kind: "wait" });
  });

  it("is to wait, from the first question of a step on [approval.asked]", async () => {
    const approvals = recordingApprovals();
    const { decide, pending } = brokerOf(approvals, 1);
    expect(await decide(call("make"))).toEqual({ kind: "wait" });
    expect(await decide(call("make test"))).toEqual({ kind: "wait" });
    expect(await decide(call("ls"))).toEqual({ kind: "wait" });
    expect(approvals.asked).toMatchObject([{ tool: "Bash", args: { command: "make" } }]);
    expect(pending()).toMatchObject([{ approval: "apr_1", words: 'Bash: "make"' }]);
  });

  it("is the decision, for one call, in whatever order its arguments are written [approval.approve]", async () => {
    const approvals = recordingApprovals();
    const first = brokerOf(approvals, 1);
    await first.decide(call("make", { command: "make", timeout: 5 }));
    approvals.decide({ approved: true });
    const second = brokerOf(approvals, 2, first.pending() ?? []);
    expect(await second.decide(call("make", { timeout: 5, command: "make" }))).toEqual({ kind: "allow" });
    expect(await second.decide(call("make", { command: "make", timeout: 5 }))).toEqual({ kind: "wait" });
    expect(approvals.asked).toHaveLength(2);
  });

  it("is the decision again when the step is executed again, before or after it was made [approval.survives]", async () => {
    const approvals = recordingApprovals();
    const asked = async () => {
      const one = brokerOf(approvals, 1);
      return [await one.decide(call("make")), one.pending()] as const;
    };
    expect(await asked()).toEqual(await asked());
    expect(approvals.asked).toHaveLength(1);
    const [, before] = await asked();
    approvals.decide({ approved: false, reason: "not today" });
    for (let time = 0; time < 2; time += 1) {
      const { decide } = brokerOf(approvals, 2, before ?? []);
      expect(await decide(call("make"))).toEqual({ kind: "refuse", reason: "A person refused this call: not today" });
    }
    expect(approvals.asked).toHaveLength(1);
  });

  it("keeps what was approved and not used for the step after the next question", async () => {
    const approvals = recordingApprovals();
    const first = brokerOf(approvals, 1);
    await first.decide(call("make"));
    approvals.decide({ approved: true });
    const second = brokerOf(approvals, 2, first.pending() ?? []);
    await second.decide(call("make test"));
    approvals.decide({ approved: true });
    const third = brokerOf(approvals, 3, second.pending() ?? []);
    expect(await third.decide(call("make test"))).toEqual({ kind: "allow" });
    expect(await third.decide(call("make"))).toEqual({ kind: "allow" });
    expect(approvals.asked).toHaveLength(2);
  });
});
