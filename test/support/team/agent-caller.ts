import type { Caller } from "../../../src/kernel/caller.ts";

/** An agent in a run of its own; without a space, in its direct messages. */
export function agentCaller(name: string, space: string = name): Caller {
  return { kind: "agent", name, space, run: null, cause: null };
}
