import { describe, expect, it } from "vitest";
import { person } from "../../../src/kernel/caller.ts";
import { Fault } from "../../../src/kernel/fault.ts";
import { silentLog } from "../../../src/kernel/log.ts";
import type { System } from "../../../src/kernel/system.ts";
import type { ProductTypes } from "../../../src/operations/core/define.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { startRuntime } from "../../../src/runtime/project-runtime.ts";
import { recordingApprovals } from "../../support/team/approvals.ts";
import { eventually } from "../../support/team/running-project.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { callOk } from "../../support/team/project.ts";
import { openTeam, REVIEW } from "../../support/team/team.ts";
import { recordingTools } from "../../support/engine/tool-host.ts";

describe("a store that fails for a while", () => {
  it.each(["begin-run", "checkpoint-step", "settle-run"])(
    "during %s costs no attempt: the run is given back and goes on from its last finished step [loop.restart-failed]",
    async (operation) => {
      await using project = await openTeam();
      const { clock } = project;
      let broken = 2;
      const flaky = failing(
        project.system,
        (name) => (name === operation || name === "park-run") && (broken -= 1) >= 0,
      );
      const numbers: number[] = [];
      const engine = scriptedEngine(({ number }) => {
        numbers.push(number);
        return number < 3 ? { more: true } : "done";
      });
      await using runtime = await startRuntime({
        ...project,
        system: flaky,
        random: () => 0,
        log: silentLog,
        leaseOwner: "own_test",
        projectDir: project.dir,
        read: project.store.read,
        engines: new Map([["mock", engine]]),
        systemPrompt: () => ({ ok: true, value: "You are." }),
        skills: async () => [],
        tools: async () => ({
          ...recordingTools(),
          endpoint: null,
          approvals: recordingApprovals(),
          beginStep: () => {},
          [Symbol.asyncDispose]: async () => {},
        }),
        setupRunning: () => false,
        worktree: async () => project.dir,
      });
      await callOk(project, person, sendMessage, { to: "@review", message: "@alice go" });
      runtime.loops.wake(["alice"]);
      await eventually("it is answered", async () => {
        clock.advance(200);
        const page = await project.store.read((store) => store.messages.page({ space: REVIEW, limit: 10 }));
        return page.some(({ sender, body }) => sender === "alice" && body === "done");
      });
      await runtime[Symbol.asyncDispose]();
      const page = await project.store.read((store) => store.messages.page({ space: REVIEW, limit: 10 }));
      expect(page.map(({ sender }) => sender)).toEqual(["user", "alice"]);
      expect(await project.store.read((store) => store.deliveries.countOpen(REVIEW))).toBe(0);
      // A step whose end could not be written down is the only one that is made again.
      expect(new Set(numbers)).toEqual(new Set([1, 2, 3]));
      expect(numbers.length).toBeLessThanOrEqual(6);
    },
  );
});

function failing(system: System<ProductTypes>, fails: (name: string) => boolean): System<ProductTypes> {
  const propose: System<ProductTypes>["propose"] = async (caller, proposal, data) => {
    if (fails(proposal.name)) throw new Fault("disk_full", "There is no space left.");
    return system.propose(caller, proposal, data);
  };
  return { ...system, propose };
}
