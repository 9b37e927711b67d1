import { operations } from "../../../src/contract/operations.ts";
import type { Caller } from "../../../src/kernel/caller.ts";

/** An agent in a run of its own; without a space, in its direct messages. */
export function agentCaller(name: string, space: string = name): Caller {
  return { kind: "agent", name, space, run: null, cause: null };
}

/** For a run that may do whatever the access rules of operations allow an agent. */
export const EVERY_OPERATION: ReadonlySet<string> = new Set(operations.map(({ name }) => name));
