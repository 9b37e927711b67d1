import type { WorkflowDefinition } from "./definition.ts";

/** Returns the workflow of an ephemeral agent that has a channel and documents: it alone takes part, in memory. */
export function ownWorkflow(agent: string): WorkflowDefinition {
  return {
    name: agent,
    agents: { [agent]: { kind: "ref", ref: agent } },
    workspace: {
      provider: "memory",
      documents: "sqlite",
      channel: true,
      mirrored: false,
      channelFile: "channel.md",
      documentFile: "notes.md",
    },
    params: [],
    setup: [],
  };
}
