import { z } from "zod";
import { ok } from "../../kernel/result.ts";
import { teamTool } from "../tools/team-tool.ts";

/** Ends a turn without a message. It calls no operation: the runtime detects the call and posts nothing. */
export const SILENCE_TOOL = "no_action";

export const runTools = [
  teamTool({
    kind: "silence",
    name: SILENCE_TOOL,
    description: "End the turn in silence, when a message would not move the work.",
    input: { reason: z.string().max(1000).describe("In a few words.") },
    uses: [],
    // A person who writes to an agent directly waits for an answer.
    returnsUntrusted: false,
    call: ({ reason }) =>
      Promise.resolve(ok({ text: "The turn ends in silence. Write nothing more.", data: { reason } })),
  }),
];
