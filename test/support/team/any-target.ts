import fc from "fast-check";
import type { Target } from "../../../src/domain/message/target.ts";
import { checkTag, checkWorkflowName, isReservedName } from "../../../src/domain/names.ts";

const anyName = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/);
const anyAgent = anyName.filter((name) => !isReservedName(name) && checkWorkflowName(name).ok);
const anyWorkflow = anyName.filter((name) => checkWorkflowName(name).ok);
const anyTag = fc.oneof(
  fc.constant("main"),
  fc.stringMatching(/^[a-zA-Z0-9._-]{1,64}$/).filter((tag) => checkTag(tag).ok),
);

export const anyTarget: fc.Arbitrary<Target> = fc.oneof(
  fc.record({ kind: fc.constant("dm" as const), agent: anyAgent }),
  fc.record({ kind: fc.constant("agent" as const), agent: anyAgent, workflow: anyWorkflow, tag: anyTag }),
  fc.record({ kind: fc.constant("channel" as const), workflow: anyWorkflow, tag: anyTag }),
);
