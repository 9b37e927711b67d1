import { expect, it } from "vitest";
import { projectAgentOf } from "../../../src/domain/workspace/participant-identity.ts";

it.each([
  ["under its own name", { agent: "alice", isRef: true, definition: '{"name":"alice"}' }, "alice"],
  ["under another name", { agent: "lead", isRef: false, definition: '{"name":"alice"}' }, "alice"],
  ["in its workspace only", { agent: "alice", isRef: false, definition: '{"name":"alice"}' }, null],
])("tells which agent of the project takes part: %s", (_how, participant, agent) => {
  expect(projectAgentOf(participant)).toBe(agent);
});
