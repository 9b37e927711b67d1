import { describe, expect, it } from "vitest";
import { createSetupShell } from "../../../src/engines/shell/setup-shell.ts";
import { createSkills } from "../../../src/files/skills/skill-folders.ts";
import { person } from "../../../src/kernel/caller.ts";
import { createClosers } from "../../../src/kernel/disposal.ts";
import { Fault } from "../../../src/kernel/fault.ts";
import { silentLog } from "../../../src/testing/silent-log.ts";
import type { System } from "../../../src/kernel/system.ts";
import type { ProductTypes } from "../../../src/operations/core/define.ts";
import { sendMessage } from "../../../src/operations/messages/send-message.ts";
import { startProject } from "../../../src/runtime/start-project.ts";
import { recordingTools } from "../../../src/testing/recording-tools.ts";
import { scriptedEngine } from "../../../src/testing/scripted-engine.ts";
import { callOk } from "../../support/team/project.ts";
import { eventually } from "../../support/team/running-project.ts";
import { openTeam, REVIEW } from "../../support/team/team.ts";

describe("a store that fails for a while", () => {
  it.each(["begin-run", "checkpoint-step", "settle-run"])(
    "during %s costs no attempt: the run is given back and goes on from its last finished step [loop.restart-failed]",
    async (operation) => {
      await using project = await openTeam();
      const { clock } = project;
      let broken = 2;
      const flaky = failing(
        project.system,
        (name) => (name === operation || name === "yield-run") && (broken -= 1) >= 0,
      );
      const numbers: number[] = [];
      const engine = scriptedEngine(({ number }) => {
        numbers.push(number);
        return number < 3 ? { more: true } : "done";
      });
      const tools = { ...recordingTools(), [Symbol.asyncDispose]: async () => {} };
      await using running = await startProject(
        { ...project, system: flaky },
        {
          clock,
          random: () => 0,
          log: silentLog,
          env: {},
          leaseOwner: "own_test",
          engines: new Map([["mock", engine]]),
          systemPrompt: () => ({ ok: true, value: "You are." }),
          guidance: () => null,
          skills: createSkills({ projectDir: project.dir, homeDir: project.dir }),
          skillTools: async () => tools,
          shellTools: () => tools,
          projectVariables: () => ({}),
          hideSecrets: () => {},
          shell: createSetupShell(clock),
          folder: () => ({ ok: true, value: project.dir }),
        },
        createClosers(clock, { deadlineMs: 60_000, onProblem: () => {} }),
      );
      await callOk(project, person, sendMessage, { to: "@review", message: "@alice go" });
      running.runtime.loops.wake(["alice"]);
      await eventually("it is answered", async () => {
        clock.advance(200);
        const page = await project.store.read((store) => store.messages.page({ space: REVIEW, limit: 10 }));
        return page.some(({ sender, body }) => sender === "alice" && body === "done");
      });
      await running[Symbol.asyncDispose]();
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
