import type { OperationOutput } from "../../contract/operations.ts";
import { teamTool } from "../tools/team-tool.ts";
import { grantTools } from "./grant-tools.ts";
import { revokeTools } from "./revoke-tools.ts";

const { agent, tools, reason, handOn } = grantTools.input.shape;

/** Offered to agents that may hand something on, and to those whose definition names them. */
export const grantTeamTools = [
  teamTool({
    name: "grant",
    description:
      "Give a colleague tools that you may hand on. It is said in the channel, and works from their next step.",
    input: {
      agent: agent.describe("Name of the colleague."),
      tools,
      reason,
      hand_on: handOn.describe("They may give them to others, too."),
    },
    uses: [grantTools],
    returnsUntrusted: false,
    call: ({ hand_on, ...args }, ask) => ask(grantTools, { ...args, handOn: hand_on }, changeText),
  }),
  teamTool({
    name: "revoke",
    description: "Take back tools that you gave a colleague.",
    input: { agent: agent.describe("Name of the colleague."), tools, reason },
    uses: [revokeTools],
    returnsUntrusted: false,
    call: (args, ask) => ask(revokeTools, args, changeText),
  }),
];

function changeText({ agent: name, seq, grants, also }: OperationOutput<"grant-tools">): string {
  const held = grants.map(({ tool, handOn: may }) => (may ? `${tool} (may hand it on)` : tool)).join(", ");
  const others = also.length === 0 ? "" : ` ${also.join(", ")} lost it too.`;
  return `Said in the channel (seq ${seq}). By grants ${name} has now: ${held || "nothing"}.${others}`;
}
