import type { ToolChoice } from "../../domain/agent/tool-choice.ts";
import { workspaceOf } from "../../domain/workspace/sub-space.ts";
import type { Caller } from "../../kernel/caller.ts";
import {
  readToolAvailability,
  runGrants,
  type RunGrants,
  type ToolAvailability,
} from "../../operations/tools/team-tools.ts";
import type { OpenProject } from "../open-project.ts";

/** The rights of a run as they are now: a grant or a revocation changes them while it runs. */
export interface LiveGrants extends Disposable {
  current(): RunGrants;
}

/**
 * Follows the grants of the agent in its space. An event is observed before whoever caused it gets an answer, so the
 * rights have changed by then.
 */
export async function followGrants(
  { system, events }: Pick<OpenProject, "system" | "events">,
  agent: Extract<Caller, { kind: "agent" }>,
  definition: ToolChoice,
): Promise<LiveGrants> {
  const workspace = workspaceOf(agent.space);
  let changed: readonly string[] | undefined;
  let made: RunGrants | undefined;
  const observing = events.observe((batch) => {
    for (const event of batch) {
      if (event.type !== "grant.changed" || event.space !== workspace || event.agent !== agent.name) continue;
      changed = event.tools;
      made = undefined;
    }
  });
  const available = await readToolAvailability(system, agent, definition);
  const now = (): ToolAvailability => (changed === undefined ? available : { ...available, granted: changed });
  return {
    current: () => (made ??= runGrants(agent, now())),
    [Symbol.dispose]: () => observing[Symbol.dispose](),
  };
}
